"""What nodes work with. Built once by the composition root and bound to the nodes by the graphs."""

from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Engine

from foundation.clock import Clock
from foundation.errors import RefusedError
from foundation.journal import Journal
from invoices.parts import PartReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts that every node may call."""

    engine: Engine
    journal: Journal
    clock: Clock
    zone: ZoneInfo
    """The company's time zone: "today" is a day there."""
    tenant: str
    account: str
    """Who works at this machine: the identity of answers that come without a signed-in user."""
    policy_file: str = ""
    """The policy used where a batch names none."""
    parts: PartReader = field(default_factory=PartReader)

    def today(self) -> date:
        """Today in the company's time zone."""
        return self.clock().astimezone(self.zone).date()

    def person(self, config: RunnableConfig) -> str:
        """Who sends an answer: the signed-in user of the server, else the account; never what a body claims."""
        user = config.get("configurable", {}).get("langgraph_auth_user")
        return str(user["identity"]) if user else self.account

    def thread(self, config: RunnableConfig) -> str:
        """The id of the thread that runs.

        Raises:
            RefusedError: the graph runs without a thread, so a pause could never be resumed.
        """
        thread_id = config.get("configurable", {}).get("thread_id")
        if not isinstance(thread_id, str) or not thread_id.strip():
            raise RefusedError("a thread_id is needed: pass {'configurable': {'thread_id': ...}} and a checkpointer")
        return thread_id
