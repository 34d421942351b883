"""What nodes work with. Built once by the composition root and bound to the nodes by the graphs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Engine

from foundation.clock import Clock
from foundation.errors import RefusedError
from foundation.journal import Journal
from foundation.model_port import Model
from invoices.parts import PartReader
from oversight.guarded import Toolbox

if TYPE_CHECKING:
    # An audit needs no memory: what reads and embeds is loaded by whoever opens one.
    from memory.reading import Extractor
    from memory.service import Memory

AskBy = Literal["reply", "interrupt"]


def _no_memory() -> "Memory":
    raise RefusedError("these services have no memory: open them with remembrancer.open_services")


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
    memory: "Callable[[], Memory]" = _no_memory
    """Opens the long-term memory at its first use; the same one ever after."""
    model: Model | None = None
    """Answers in conversations; None: what rules can say."""
    reader: "Extractor | None" = None
    """Reads with a model what the rules leave unclear."""
    ask_by: AskBy = "reply"
    """How a conversation asks about a conflict: in its reply, or by pausing the thread."""

    tools: Toolbox | None = None
    """What the assistant may do, and within which limits; None: it only talks."""

    @property
    def toolbox(self) -> Toolbox:
        """The tools; none where the assistant only talks."""
        return self.tools or Toolbox.of(())

    def today(self) -> date:
        """Today in the company's time zone."""
        return self.clock().astimezone(self.zone).date()

    def person(self, config: RunnableConfig) -> str:
        """Who sends an answer: the signed-in user of the server, else the account; never what a body claims."""
        user = config.get("configurable", {}).get("langgraph_auth_user")
        return str(user["identity"]) if user else self.account

    def signed_in(self, config: RunnableConfig) -> str:
        """The person whose token or session the server knows; "" where the machine's own user runs the graph."""
        user = config.get("configurable", {}).get("langgraph_auth_user")
        return str(user["identity"]) if user and not user.get("alone") else ""

    def speaker(self, config: RunnableConfig) -> str:
        """Whose conversation it is: the signed-in user of the server, else `user_id` of the run, else the account.

        The machine's own user, let in without a token, may speak as whom he likes: all are he.
        """
        configurable = config.get("configurable", {})
        if self.signed_in(config) or not configurable.get("user_id"):
            return self.person(config)
        return str(configurable["user_id"])

    def thread(self, config: RunnableConfig) -> str:
        """The id of the thread that runs.

        Raises:
            RefusedError: the graph runs without a thread, so a pause could never be resumed.
        """
        thread_id = config.get("configurable", {}).get("thread_id")
        if not isinstance(thread_id, str) or not thread_id.strip():
            raise RefusedError("a thread_id is needed: pass {'configurable': {'thread_id': ...}} and a checkpointer")
        return thread_id
