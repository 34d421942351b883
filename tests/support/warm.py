"""What every forked process would otherwise load for itself: the memory that decisions are kept in, and its words."""

import memory.service  # noqa: F401 - loaded here once for all forks
from memory.tokenizer import tokens

tokens("预热 warm")
