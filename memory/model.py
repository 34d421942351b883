"""The words of memory as data: what was said, what is proposed, what is remembered, what was found."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

Speaker = Literal["user", "assistant", "tool", "document", "reviewer", "system"]
Kind = Literal["semantic", "episodic", "procedural"]
Category = Literal["user_profile", "preference", "task_progress", "domain_knowledge", "conversation_history"]
Importance = Literal["critical", "normal", "low"]
Verb = Literal["add", "supersede", "return", "revise", "retract", "forget", "quarantine"]
"""`return`: something is so again that was so before; which memory that was is found when it is carried out.

`revise` and `retract`: what the person points at (`Reference`) is otherwise now, or not true.
"""
Status = Literal["current", "superseded", "proposed", "quarantined", "expired", "invalidated"]
OutcomeStatus = Literal[
    "stored",
    "reinforced",
    "superseded",
    "coexists",
    "proposed",
    "quarantined",
    "blocked",
    "forgotten",
    "nothing",
    "failed",
]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation, as it was said."""

    message_id: str
    thread_id: str
    role: Speaker
    content: str
    created_at: datetime
    """Aware."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Which question about whom a memory answers, so that a newer answer finds the older one: ("user", "name")."""

    subject: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What an episodic memory knows beside its words; each may be missing."""

    when: datetime | None = None
    when_phrase: str | None = None
    """The words that the time was resolved from ("上周三"), kept as said."""
    where: str | None = None
    who: tuple[str, ...] = ()
    mood: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A memory as a person points at it: what kind of thing it is, when and in which talk it was told."""

    words: str = ""
    """What it is called ("那家日料店", "the hotel")."""
    thing: str | None = None
    """Its kind, a name of `memory.things`."""
    aspect: str | None = None
    """Which fact about it, where that is said: a kind, too ("address")."""
    since: datetime | None = None
    until: datetime | None = None
    """When it was told: a stretch of time, aware."""
    slack: timedelta = timedelta()
    """How far that may be off."""
    just_now: bool = False
    """The newest that fits is meant."""
    scene: str = ""
    """What was being talked about then ("the Berlin trip")."""
    memory_id: str | None = None
    """The one that the person chose when asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What `extract` wants done with one statement, and why. Says nothing yet about what is already remembered."""

    verb: Verb
    content: str
    """In the speaker's language, in his words where they stand alone; for `forget`, what is to be forgotten."""
    quote: str
    """The words of the message that support it: a substring of the message."""
    kind: Kind
    category: Category
    importance: Importance
    confidence: float
    """0 to 1."""
    rule: str
    """Id of the rule (or the model) that proposed it."""
    slot: Slot | None = None
    value: str | None = None
    """The slot's value in normal form ("靠窗", "Go")."""
    polarity: bool = True
    """False for a negated statement ("I don't eat pork")."""
    topic: str | None = None
    explicit: bool = False
    """The person asked for it to be remembered, corrected or forgotten, in so many words."""
    exception: bool = False
    """A specific case beside a general rule: it coexists."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    episode: Episode | None = None
    instead_of: str | None = None
    """What it takes the place of, in the person's words ("tea"), where he named it."""
    meant: Reference | None = None
    """What a `revise`, `retract` or `forget` points at, where its own words don't name it."""
    reason: str = ""
    """For quarantine and blocked ones: what is suspicious, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a memory came from."""

    thread_id: str
    message_id: str
    quote: str
    speaker: Speaker
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """One thing remembered, as its current row. The id is stable for life."""

    memory_id: str
    kind: Kind
    category: Category
    content: str
    slot: Slot | None
    value: str | None
    polarity: bool
    topic: str | None
    importance: Importance
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    last_accessed_at: datetime | None
    access_count: int
    expires_at: datetime | None
    status: Status
    version: int
    replaced_by: str | None
    replaces: str | None
    rule: str
    episode: Episode | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a memory's append-only history."""

    memory_id: str
    what: str
    """created, reinforced, superseded, edited, invalidated, restored, forgotten, expired, quarantined, released."""
    at: datetime
    actor: str
    rule: str
    before: str | None
    after: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one statement, told honestly."""

    message_id: str
    status: OutcomeStatus
    memory_id: str | None = None
    content: str | None = None
    kind: Kind | None = None
    category: Category | None = None
    slot: Slot | None = None
    reason: str = ""
    question: str | None = None
    """What to ask the person next, when a conflict or doubt is theirs to settle."""
    options: tuple[str, ...] = ()
    """The memories between which the person must choose."""
    wanted: Proposal | None = None
    """What is done with the one chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """How one search arm saw a memory."""

    name: Literal["keyword", "vector", "slot", "profile", "recent", "neighbour", "relation"]
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """A memory as found: its score, the arms that found it and why it was kept."""

    memory: Remembered
    score: float
    arms: tuple[Arm, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The answer of a search."""

    query: str
    recollections: tuple[Recollection, ...]
    degraded: tuple[str, ...] = ()
    """Parts that didn't answer ("vector index", "embedder"); empty when all did."""
    dropped: int = 0
    """Candidates found but not kept: below the gate, or over the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a deletion did, place by place."""

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Place -> rows before, rows after."""
    proved: tuple[str, ...] = ()
    """Places that were looked at afterwards and hold nothing of it."""
    requested: tuple[str, ...] = ()
    """Places that were asked to delete and have not confirmed it."""
    retained: dict[str, str] = field(default_factory=dict)
    """Place -> by which legal hold or duty it is kept."""
    remaining: dict[str, int] = field(default_factory=dict)
    """Place -> how many of the forgotten texts still stand there against all intent; empty when all went well."""
    shared: int = 0
    """Forgotten texts that somebody else said, too, word for word: theirs stay."""
