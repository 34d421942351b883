"""Where words of a person may lie outside of his pool, and what forgetting does there: one entry a table.

A table with a column `pool` needs no entry: its rows go with the pool. Every other table stands in exactly one of these
lists, and `tests/behaviour/test_memory_places.py` walks all tables and fails for one that doesn't.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Table

from memory.scope import Scope
from nodes.quarantine_matter import KIND as QUARANTINE
from nodes.talk import KIND as CONVERSATION
from oversight.erasing import STRUCTURE
from oversight.tables import actions, decisions, feed_events, notices, reviews
from oversight.threads import own_threads
from remembrancer.inbox.tables import scheduled_decisions

PERSONAL = (CONVERSATION, QUARANTINE)
"""Kinds of threads in which a person's words are put before somebody."""


def personal_threads(connection: Connection, scope: Scope) -> list[str]:
    """The threads of a pool in which its words may stand."""
    return [
        thread for kind in PERSONAL for thread in own_threads(connection, scope.tenant_id, kind, scope.user_id or "")
    ]


@dataclass(frozen=True, slots=True)
class Quoting:
    """A table whose rows may quote such a thread: they stay, the words go out of them."""

    table: Table
    by: str
    """The column that names the thread, or the review, to which a row belongs."""
    words: tuple[str, ...]
    """The columns that hold words, plain or as JSON. All others hold ids, names of things, states and times."""
    names: frozenset[str] = frozenset()
    """Fields of such JSON that name things, so that somebody may still answer."""


QUOTING = (
    Quoting(reviews, "thread_id", ("headline", "question"), STRUCTURE),
    Quoting(actions, "thread_id", ("args", "result")),
    Quoting(feed_events, "thread", ("facts",)),
    Quoting(decisions, "review_id", ("reason", "edits", "refused", "bypassed")),
    Quoting(notices, "review_id", ("facts", "error")),
    Quoting(scheduled_decisions, "review_id", ("reason", "edits", "seen", "outcome")),
)

BY_LAW = "accounting records, kept by law"
AS_EVIDENCE = "evidence of who decided what, kept by law"

KEPT: Mapping[str, str] = {
    **dict.fromkeys(("batches", "batch_files", "invoices", "past_invoices", "sellers_seen", "bookings"), BY_LAW),
    **dict.fromkeys(("policies", "runs", "samples"), BY_LAW),
    **dict.fromkeys(("audit_log", "audit_content", "audit_heads"), AS_EVIDENCE),
    **dict.fromkeys(("reviews", "review_reasons", "decisions", "approvals", "notices", "feed_events"), AS_EVIDENCE),
    **dict.fromkeys(("scheduled_decisions", "postponements", "brakes", "limit_changes", "rule_proposals"), AS_EVIDENCE),
}
"""Tables of which rows that aren't about a person's thread are kept, and on what ground."""

ACCOUNT: Mapping[str, str] = {"people": "key", "credentials": "person", "api_tokens": "person"}
"""Who may sign in, and the column that names him: not a memory."""
UNTIL_REMOVED = "he may still sign in: `users remove` ends that"

WORDLESS = frozenset({"feed_heads", "known_files", "precedents", "remembered_decisions", "threads", "alembic_version"})
"""Tables that hold ids, numbers, names of files and of rules."""

NAMED = {
    "batches": "submitter",
    "past_invoices": "submitter",
    "bookings": "booked_by",
    "reviews": "submitter",
    "decisions": "decided_by",
    "approvals": "person",
    "audit_log": "actor",
}
"""Columns of kept tables that name who handed something in or decided it."""

SERVER_FOLDER = ".langgraph_api"
"""Where LangGraph's development server keeps its runs, below the folder in which it was started."""
