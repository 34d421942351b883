"""Decisions become memories of the company, and precedents of the next question like them. Only nodes see both sides.

A decision never waits for its memory: what could not be remembered is made up for by the next call.
"""

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from foundation.database import reading
from foundation.errors import RemembrancerError
from nodes.services import Services
from oversight.actions import ACTION_KEYS
from oversight.precedents import (
    decided_alike,
    has_precedents,
    in_words,
    note_remembered,
    party_of,
    precedents_for,
    rules_of,
    unremembered,
)
from oversight.proposals import propose
from oversight.reviews import Decision, Review

if TYPE_CHECKING:
    from memory.model import Message, Proposal
    from memory.service import Memory

_log = structlog.get_logger(__name__)
_AT_ONCE = 20
_NEVER_WAIVED = frozenset({"near_duplicate", "blacklist", "related_seller"})
"""Rules against fraud: each case is looked at, however often others like it were approved."""
_ABOUT_MEMORY = ("memory.", "release_memory")
"""How the names of actions begin that are about what somebody said."""
_MARK = "\n\n**先例 / Precedents**\n"
_DID = {"approve": "批准了 / approved", "reject": "驳回了 / rejected", "edit": "更正了 / corrected"}


def remember_decisions(services: Services) -> int:
    """The chore: remember what took effect and isn't remembered yet, the newest first; returns how many."""
    with reading(services.engine) as connection:
        due = unremembered(connection, services.tenant, _AT_ONCE)
    done = 0
    for review, decision in due:
        if not remember_decision(services, review, decision):
            break
        done += 1
    return done


def remember_decision(services: Services, review: Review, decision: Decision) -> bool:
    """Remember one decision that took effect; whether it is. Never fails: what fails is made up for by the chore."""
    try:
        _remember(services, services.memory(), review, decision)
    except (RemembrancerError, SQLAlchemyError, OSError, ImportError) as error:
        _log.warning("a decision is remembered later", decision=decision.decision_id, error=str(error))
        return False
    return True


def _remember(services: Services, memory: "Memory", review: Review, decision: Decision) -> None:
    from memory.scope import Scope

    if review.subject.startswith(ACTION_KEYS) or review.action.startswith(_ABOUT_MEMORY):
        # What was decided in somebody's conversation, or about his memory, quotes it: his words, not the company's.
        with services.journal.transaction() as transaction:
            note_remembered(transaction.connection, decision, "", rules_of(review), "", transaction.at)
        return
    message, proposal = _as_memory(review, decision)
    (outcome,) = memory.apply(Scope.tenant(services.tenant), message, [proposal])
    memory_id = (outcome.memory_id or "") if outcome.status in {"stored", "reinforced", "coexists"} else ""
    rules, party = rules_of(review), party_of(review.question)
    with services.journal.transaction() as transaction:
        if note_remembered(transaction.connection, decision, memory_id, rules, party, transaction.at):
            for rule in _waivable(review):
                propose(
                    transaction, services.tenant, rule, party,
                    decided_alike(transaction.connection, services.tenant, review.action, rule, party),
                )  # fmt: skip


def _as_memory(review: Review, decision: Decision) -> tuple["Message", "Proposal"]:
    """The decision in words, with its id as the message's: told twice it is the same memory."""
    from memory.model import Episode, Message, Proposal

    when = decision.at.date().isoformat()
    rules = ", ".join(rules_of(review))
    edits = "; ".join(f"{name} → {value}" for name, value in decision.edits.items())
    why = "; ".join(filter(None, (decision.reason, edits))) or "–"
    did = _DID.get(decision.kind, decision.kind)
    about = _unsuspicious(review.headline)
    content = f"{when} {decision.decided_by} {did} {about} [{rules}]: {why} ({review.review_id})"
    message = Message(decision.decision_id, review.thread_id, "reviewer", content, decision.at)
    proposal = Proposal(
        verb="add", content=content, quote=content, kind="episodic", category="domain_knowledge",
        importance="normal", confidence=1.0, rule="reviewer's decision", valid_from=decision.at,
        episode=Episode(when=decision.at, where=review.thread_id, who=(decision.decided_by,)),
    )  # fmt: skip
    return message, proposal


def _unsuspicious(headline: str) -> str:
    """What the review was about, unless its words, which a document brought, give orders to whoever reads them."""
    from memory.screening import screen

    return "–" if screen(headline, "document") else headline


def _waivable(review: Review) -> list[str]:
    """The rules of this review that a company may waive for a party: never a hard one, a limit or a doubt."""
    findings = review.question.get("evidence", {}).get("findings", ())
    soft = [f for f in findings if f["severity"] == "review" and f["trigger"] == "guardrail"]
    return [rule for rule in dict.fromkeys(str(finding["rule"]) for finding in soft) if rule not in _NEVER_WAIVED]


def kept_memories(services: Services) -> Callable[[Sequence[str]], Set[str]]:
    """Says which memories still stand; asked for before a transaction, because memory takes time to open.

    Without a memory nothing stands: no precedent is shown that nobody can look up.
    """
    try:
        with reading(services.engine) as connection:
            if not has_precedents(connection, services.tenant):
                return lambda _: frozenset()
        memory = services.memory()
    except (RemembrancerError, SQLAlchemyError, OSError, ImportError) as error:
        _log.warning("no precedents are shown", error=str(error))
        return lambda _: frozenset()
    from memory.scope import Scope

    return partial(memory.standing, Scope.tenant(services.tenant))


def with_precedents(
    connection: Connection, question: dict[str, Any], tenant: str, kept_of: Callable[[Sequence[str]], Set[str]]
) -> dict[str, Any]:
    """The question with what was decided before in cases like it: as data, and as quoted text in its description."""
    rules = [str(fired["rule"]) for fired in question["triggers"]]
    action = str(question["action_requests"][0]["name"])
    found = precedents_for(
        connection, tenant, action, rules, party_of(question), kept_of=kept_of, but=str(question["review_id"])
    )
    if not found:
        return question
    request = question["action_requests"][0]
    told = request["description"] + _MARK + "\n".join(in_words(found))
    return {
        **question,
        "action_requests": [{**request, "description": told}],
        "precedents": [one.to_json() for one in found],
    }
