"""The graphs: wiring only, one file each."""

from foundation.process import prepare_process

prepare_process()
