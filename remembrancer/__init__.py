"""The application: settings, wiring, command line, web inbox, server hooks, worker."""

from foundation.process import prepare_process

prepare_process()
