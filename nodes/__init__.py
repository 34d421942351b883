"""What happens at one step: one stage a file, a verb. Nodes read the state, call a service, return a small dict."""

from foundation.process import prepare_process

prepare_process()
