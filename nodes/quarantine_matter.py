"""Quarantined memories as matters of review: what was held back and why, and what a decision makes of it.

Memory knows no reviews and reviews know no memory; this joins the two. The effect, a change of the memory's own pool,
is made by the node after the decision (`nodes.release`), so that no text is embedded inside the decision's transaction.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.errors import NotFoundError
from foundation.ids import derived_id
from foundation.journal import Transaction
from memory.model import Outcome, Remembered
from memory.scope import Scope
from nodes.matter import Matter, Objection
from nodes.services import Services
from oversight.action import Action, Fired, Verdict
from oversight.question import both_languages, plain_text, question_about
from oversight.reviews import Decision, Review, find_review, open_review
from oversight.threads import bind_thread

KIND = "quarantine_review"
"""The kind under which threads of these reviews are bound."""
REMEMBER = "release_memory"


class HeldStatus(StrEnum):
    """How a memory stands that was held back."""

    QUARANTINED = "quarantined"
    """It waits for a reviewer."""
    RELEASED = "released"
    """A reviewer let it into use."""
    DISCARDED = "discarded"
    """A reviewer had it deleted."""
    GONE = "gone"
    """The person had it forgotten before a reviewer came."""


_HEADLINE = 120
_WHY = {
    "screen.override": ("要助手丢开它的规则", "it tells the assistant to drop its rules"),
    "screen.persona": ("要助手扮演没有限制的角色", "it gives the assistant a role without limits"),
    "screen.standing_order": ("要助手不经检查就审批或付款", "it tells the assistant to approve or pay unchecked"),
    "screen.authority": ("冒称没有人给过的授权", "it claims an authority that nobody gave"),
    "screen.exfiltration": ("要把不属于此人的内容交出去", "it asks to give away what isn't this person's"),
    "screen.markup": ("仿冒提示词的分隔标记", "it imitates the marks between the parts of a prompt"),
    "screen.machine": ("是写给机器的，不是人说的", "it is addressed to a machine, not said by a person"),
    "screen.data_orders": ("资料里夹带指令", "data that gives orders"),
    "screen.speaker": ("不是本人说的话", "not the person's own words"),
}  # fmt: skip
_SUSPICIOUS = ("看起来像给系统的指令", "it reads like an order to the system")


def review_id_of(memory_id: str) -> str:
    """The id of the review that a quarantined memory waits for."""
    return derived_id("rev", "quarantine", memory_id)


def scope_of(services: Services, person: str) -> Scope:
    """The pool of a person, or the company's where nobody is named."""
    return Scope.user(services.tenant, person) if person else Scope.tenant(services.tenant)


def open_quarantine(services: Services, person: str, outcomes: Iterable[Outcome]) -> list[str]:
    """Put each memory that was just quarantined on the reviewers' desk; returns the ids of the reviews.

    Opening one twice changes nothing.
    """
    held = [each.memory_id for each in outcomes if each.status == "quarantined" and each.memory_id]
    scope = scope_of(services, person)
    return open_held(services, person, [services.memory().show(scope, memory_id) for memory_id in held])


def open_held(services: Services, person: str, held: Iterable[Remembered]) -> list[str]:
    """The same for memories that were found in quarantine."""
    return [_open(services, person, memory) for memory in held]


def _open(services: Services, person: str, memory: Remembered) -> str:
    thread_id = derived_id("quarantine", memory.memory_id)
    with services.journal.transaction() as transaction:
        bind_thread(transaction.connection, thread_id, services.tenant, KIND, person, transaction.at)
        review = _review(services, person, memory, thread_id, transaction)
        open_review(transaction.connection, review)
        kept = find_review(transaction.connection, services.tenant, review.review_id)
        if kept.opened_at == transaction.at:
            transaction.log(
                services.tenant, "agent", "review opened", review.review_id, about=memory.memory_id, rules=[memory.rule]
            )
    return review.review_id


@dataclass(frozen=True, slots=True)
class QuarantineMatter(Matter):
    """A memory that waits in quarantine: the state's `memory_id`, in the pool of the state's `person`."""

    services: Services

    def put(self, transaction: Transaction, state: Mapping[str, Any], config: RunnableConfig) -> Review | None:
        """The review of the memory; None for a memory that doesn't wait and nobody was asked about."""
        thread_id = self.services.thread(config)
        bind_thread(transaction.connection, thread_id, self.services.tenant, KIND, state["person"], transaction.at)
        try:
            memory = self.services.memory().show(scope_of(self.services, state["person"]), state["memory_id"])
        except NotFoundError:
            memory = None
        if memory is None or memory.status != "quarantined":
            return self._opened(transaction.connection, state["memory_id"])
        return _review(self.services, state["person"], memory, thread_id, transaction)

    def _opened(self, connection: Connection, memory_id: str) -> Review | None:
        """A review that was opened before the memory went: its decision still has to be taken note of."""
        try:
            return find_review(connection, self.services.tenant, review_id_of(memory_id))
        except NotFoundError:
            return None

    def objection(self, transaction: Transaction, decision: Decision, review: Review) -> Objection | None:  # noqa: ARG002
        """Nothing but yes and no settles it: a reviewer doesn't put words into a person's memory."""
        if decision.kind in ("approve", "reject"):
            return None
        why = ("只能批准（放入记忆）或拒绝（删除）", "only approve (it is remembered) or reject (it is deleted)")
        return Objection(both_languages(why), review.question)

    def question(self, connection: Connection, review: Review, edits: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG002
        """The question as it was put: a quarantined memory never changes."""
        return review.question

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:  # noqa: ARG002
        """Nothing yet: the memory is released or deleted by the next node."""
        return False

    def batch_of(self, connection: Connection, review: Review) -> str:  # noqa: ARG002
        """None: a memory belongs to no batch."""
        return ""

    def told(self, connection: Connection, decision: Decision, review: Review) -> dict[str, Any]:  # noqa: ARG002
        """Which memory, and who decided what."""
        return {
            "memory_id": review.subject,
            "review_id": review.review_id,
            "status": str(HeldStatus.RELEASED if decision.kind == "approve" else HeldStatus.DISCARDED),
            "decision": decision.kind,
            "decided_by": decision.decided_by,
            "reason": decision.reason,
        }


def _review(services: Services, person: str, memory: Remembered, thread_id: str, transaction: Transaction) -> Review:
    question = {**_question(person, memory), "round": 1}
    return Review(
        review_id=question["review_id"],
        tenant=services.tenant,
        thread_id=thread_id,
        action=REMEMBER,
        subject=memory.memory_id,
        headline=plain_text(memory.content)[:_HEADLINE],
        amount=Decimal(0),
        currency="",
        submitter=person,
        question=question,
        digest=question["digest"],
        opened_at=transaction.at,
    )


def _question(person: str, memory: Remembered) -> dict[str, Any]:
    zh, en = _WHY.get(memory.rule, _SUSPICIOUS)
    fired = Fired(kind="guardrail", rule=memory.rule, message={"zh": zh, "en": en})
    source = memory.sources[0] if memory.sources else None
    spoken = f"{source.speaker}, {source.thread_id}, {source.said_at:%Y-%m-%d %H:%M} UTC" if source else "-"
    return question_about(
        Action(name=REMEMBER, args={"content": memory.content}, confidence=memory.confidence),
        Verdict(fired=(fired,), allowed=("approve", "reject")),
        review_id=review_id_of(memory.memory_id),
        description="\n".join(
            (
                f"**隔离的记忆 / Quarantined memory**: {plain_text(memory.content)}",
                "",
                f"- {plain_text(person) or '公司 / company'} ({plain_text(spoken)})",
                f"- **guardrail** {zh} / {en}",
            )
        ),
        editable=(),
        evidence={"memory_id": memory.memory_id, "person": person, "batch": person, "file": memory.memory_id},
    )
