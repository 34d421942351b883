"""The states: ids and small facts, never documents - a checkpoint holds the whole state, at every step."""

from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,  # Pydantic makes Studio's forms of these only on Python 3.12 otherwise
)

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import (
    TypedDict,
)


class AuditInput(TypedDict, total=False):
    """What starts an audit."""

    paths: Annotated[list[str], Field(title="Invoices", description="Files and folders of invoices.")]
    policy: Annotated[str, Field(title="Policy", description="Path of the policy file; empty: the configured one.")]
    batch: Annotated[str, Field(title="Batch", description="A name for the batch; empty: one made of the date.")]
    submitter: Annotated[
        str, Field(title="Submitter", description="Who brings the invoices in; he never decides about them.")
    ]
    claim: Annotated[
        dict[str, Any],
        Field(
            title="Claim",
            description="Under which claim: claim_id, trip, category, cost_centre, people, trip_start, trip_end.",
        ),
    ]
    manifest: Annotated[str, Field(title="Manifest", description="Path of a CSV that says so for each file.")]
    schematron: Annotated[
        str,
        Field(title="Schematron", description="Path of your own compiled schematron; empty: the policy's."),
    ]
    oversight: Annotated[
        Literal["", "hitl", "hotl", "hootl", "shadow"],
        Field(
            title="Oversight",
            description="How closely people watch: in the loop (hitl), on it (hotl), out of it (hootl), or advice only"
            " (shadow); empty: the policy's degree.",
        ),
    ]
    sample_one_in: Annotated[
        int,
        Field(
            title="Sample one in",
            description="One in so many of what passed by itself is put before a person afterwards; 0: as the policy"
            " says.",
        ),
    ]
    ask_in: Annotated[
        Literal["here", "threads"],
        Field(
            title="Ask in",
            description="Ask about doubtful invoices in this thread, one at a time (here), or leave each to a thread of"
            " its own (threads).",
        ),
    ]


class ReviewInput(TypedDict):
    """What starts the review of one doubtful invoice."""

    invoice_id: Annotated[str, Field(title="Invoice", description="The id of a doubtful invoice.")]
    reopens: NotRequired[
        Annotated[str, Field(title="Asks again", description="The decided review that is asked about once more.")]
    ]


class ReviewState(TypedDict, total=False):
    """One doubtful invoice on its way through a person's hands."""

    invoice_id: str | None
    reopens: str | None
    """The decided review that is asked about once more."""
    question: dict[str, Any] | None
    """What the person is asked, with the verdict in it; kept so that a resume never computes it again."""
    answer: Any
    """The answer as it came, until it is judged."""
    decision: dict[str, Any] | None
    """The judged answer, until it is applied."""
    halted: dict[str, Any] | None
    """The question of the brake that stopped the thread, until it goes on."""
    last: dict[str, Any]
    """What became of the invoice decided last."""


class QuarantineInput(TypedDict):
    """What starts the review of one quarantined memory."""

    memory_id: Annotated[str, Field(title="Memory", description="The id of a quarantined memory.")]
    person: Annotated[str, Field(title="Person", description="Whose memory it is; empty: the company's.")]


class QuarantineState(TypedDict, total=False):
    """One quarantined memory on its way through a reviewer's hands."""

    memory_id: str
    person: str
    question: dict[str, Any] | None
    answer: Any
    decision: dict[str, Any] | None
    halted: dict[str, Any] | None
    last: dict[str, Any]


class AuditState(ReviewState, AuditInput, total=False):
    """A batch on its way."""

    batch_id: str
    files: int
    file: int
    """The file to go on with; equal to `files` when all are examined."""
    part: int
    """The part of that file to go on with."""
    spent: str
    """What the batch booked without a person so far, in the policy's currency."""
    ended: str
    """Why the run was ended before its last file, zh and en on a line each."""
    counts: dict[str, int]


class AuditOutput(TypedDict, total=False):
    """What an audit ends with."""

    batch_id: str
    counts: dict[str, int]
    """Status -> number of invoices."""
    ended: str
    last: dict[str, Any]


class ReviewOutput(TypedDict, total=False):
    """What the review of one invoice ends with."""

    last: dict[str, Any]


class ActingState(TypedDict, total=False):
    """An action on its way: what the nodes of `graphs.acting` keep beside `messages`."""

    draft: dict[str, Any] | None
    """An answer that the model wants to give, until it is weighed."""
    call: dict[str, Any] | None
    """The action that is weighed, asked about or run; its arguments are in the table of actions."""
    question: dict[str, Any] | None
    """What a person is asked about it, with the verdict in it; kept so that a resume never computes it again."""
    answer: Any
    """The answer as it came, until it is judged."""
    decision: dict[str, Any] | None
    """The judged answer, until it is applied."""
    halted: dict[str, Any] | None
    """The question of the brake that stopped the thread, until it goes on."""
    last: dict[str, Any]
    """What became of the action decided last."""


class ChatInput(TypedDict, total=False):
    """What starts a turn of a conversation."""

    messages: Annotated[
        list[AnyMessage],
        Field(title="Messages", description="What you say now. Kept: the last turns, bounded, secrets masked."),
        add_messages,
    ]
    topic: Annotated[str, Field(title="Topic", description="The project that the talk is about; empty: none.")]


class ChatContext(TypedDict, total=False):
    """What goes with a run of a conversation."""

    user_id: Annotated[
        str,
        Field(title="Speaker", description="Whose conversation it is where nobody is signed in; empty: yours."),
    ]


class ChatState(ActingState, ChatInput, total=False):
    """A conversation: short-term memory, and the facts of the present turn."""

    summary: str
    """The running summary of the turns that left the window."""
    overflow: bool
    """Whether turns left the window just now: what they say is read before it is out of sight."""
    open: dict[str, Any] | None
    """The question that the next message may settle: its kind, the memories it is about, its words."""
    heard: list[str]
    """Ids of the messages that this turn answers."""
    proposals: list[dict[str, Any]]
    """What the message wants done to memory, until it is done."""
    outcomes: list[dict[str, Any]]
    """What became of it."""
    recalled: dict[str, Any]
    """What matters to the message: found, profile, degraded, dropped."""
    facts: str
    """The block of facts that stands before the model."""
    receipt: dict[str, Any] | None
    """After "forget everything": what was deleted, place by place."""
    trouble: list[str]
    """What doesn't work at the moment, told in the reply."""


class ChatOutput(TypedDict, total=False):
    """What a turn ends with."""

    messages: Annotated[list[AnyMessage], add_messages]
    outcomes: list[dict[str, Any]]
    recalled: dict[str, Any]
    open: dict[str, Any] | None
    receipt: dict[str, Any] | None
