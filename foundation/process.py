"""What must be set in a process before langgraph is imported anywhere in it."""

import os


def prepare_process() -> None:
    """Strict checkpoints on, tracing to anybody's cloud off; what the environment says already is kept.

    Without strict mode a checkpoint names the class to rebuild, and a tampered file could have any function called.
    """
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    for switch in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ.setdefault(switch, "false")
    os.environ.setdefault("LANGCHAIN_CALLBACKS_BACKGROUND", "false")
