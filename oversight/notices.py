"""What people are told about reviews: an outbox. A notice is written with what it tells of, and delivered once.

Nothing is sent here: whoever delivers takes what is pending, sends it and marks it. A failed one is tried again later.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Literal

from sqlalchemy import Connection, Row, select, update

from foundation.ids import derived_id
from foundation.upserts import keep_first
from oversight.people import Person, Role, list_people, same_person
from oversight.reviews import Review
from oversight.tables import notices


class NoticeKind(StrEnum):
    """What a notice tells of."""

    OPENED = "opened"
    ASSIGNED = "assigned"
    REMINDER = "reminder"
    ESCALATED_1 = "escalated-1"
    ESCALATED_2 = "escalated-2"
    ESCALATED_3 = "escalated-3"
    EXPIRED = "expired"
    REOPENED = "reopened"
    SECOND_NEEDED = "second-needed"
    """One person approved; another one must, too."""
    VOIDED = "voided"
    """What was approved has changed; it is asked again."""
    DECIDED = "decided"
    ASKED = "asked"
    """A reviewer asks the submitter something."""
    ANSWERED = "answered"
    """The submitter answered whoever asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing to tell one recipient."""

    notice_id: str
    tenant: str
    review_id: str
    kind: NoticeKind
    recipient: str
    """"role:ROLE" or "person:NAME"."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the text says: headline, amount, currency, batch, and by kind: by, reason, text."""
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None = None
    attempts: int = 0
    error: str = ""


_TITLES: Mapping[NoticeKind, tuple[str, str]] = {
    NoticeKind.OPENED: ("待审批：{headline}", "Waiting for a decision: {headline}"),
    NoticeKind.ASSIGNED: ("{by} 转给你：{headline}", "{by} assigned to you: {headline}"),
    NoticeKind.REMINDER: ("即将到期：{headline}", "Due soon: {headline}"),
    NoticeKind.ESCALATED_1: ("已到期，请审批：{headline}", "Due now, please decide: {headline}"),
    NoticeKind.ESCALATED_2: ("逾期，上报经理：{headline}", "Overdue, passed to the managers: {headline}"),
    NoticeKind.ESCALATED_3: ("仍未审批，上报管理员：{headline}", "Still undecided, passed to the admins: {headline}"),
    NoticeKind.EXPIRED: ("已过期，未入账：{headline}", "Expired, not carried out: {headline}"),
    NoticeKind.REOPENED: ("重新审批：{headline}", "Opened again: {headline}"),
    NoticeKind.SECOND_NEEDED: ("还需第二人审批：{headline}", "A second person must approve: {headline}"),
    NoticeKind.VOIDED: ("批准已失效，请重新审批：{headline}", "An approval is void, please decide again: {headline}"),
    NoticeKind.DECIDED: ("{by} 已决定（{decision}）：{headline}", "{by} decided ({decision}): {headline}"),
    NoticeKind.ASKED: ("{by} 有疑问：{headline}", "{by} has a question: {headline}"),
    NoticeKind.ANSWERED: ("{by} 答复了：{headline}", "{by} answered: {headline}"),
}
_BODY = (
    "{text}\n金额 {amount} {currency} · {batch} · {review_id}",
    "{text}\n{amount} {currency} · {batch} · {review_id}",
)


def announce(
    connection: Connection,
    review: Review,
    kind: NoticeKind,
    recipient: str,
    at: datetime,
    *,
    turn: str = "",
    **facts: str,
) -> None:
    """Put a notice into the outbox; one kind to one recipient in one `turn` of a review is one notice."""
    notice_id = derived_id("ntc", review.tenant, review.review_id, kind, recipient, turn)
    about = {"headline": review.headline, "amount": f"{review.amount:.2f}", "currency": review.currency}
    row = {
        "notice_id": notice_id,
        "tenant": review.tenant,
        "review_id": review.review_id,
        "kind": kind,
        "recipient": recipient,
        "facts": json.dumps({**about, "batch": review.batch, **facts}, ensure_ascii=False),
        "created_at": at,
        "due_at": at,
        "attempts": 0,
        "error": "",
    }
    keep_first(connection, notices, row, key=["notice_id"])


def waits_for(review: Review) -> str:
    """Whom the review waits for: its assignee, else its audience."""
    return f"person:{review.assignee}" if review.assignee else review.audience


def pending(connection: Connection, limit: int, *, now: datetime) -> list[Notice]:
    """Up to `limit` notices of all tenants that are due for delivery, the oldest first."""
    query = select(notices).where(notices.c.sent_at.is_(None), notices.c.due_at <= now)
    rows = connection.execute(query.order_by(notices.c.due_at, notices.c.notice_id).limit(limit))
    return [_notice(row) for row in rows]


def mark_sent(connection: Connection, notice_id: str, at: datetime) -> bool:
    """Say that it was delivered; whether this call did (False: another process was first)."""
    mine = (notices.c.notice_id == notice_id) & notices.c.sent_at.is_(None)
    return connection.execute(update(notices).where(mine).values(sent_at=at, error="")).rowcount == 1


def mark_failed(connection: Connection, notice: Notice, error: str, at: datetime) -> None:
    """Say that it could not be delivered: tried again after a while that doubles each time, a day at most."""
    wait = min(timedelta(minutes=2**notice.attempts), timedelta(days=1))
    values = {"attempts": notice.attempts + 1, "error": error, "due_at": at + wait}
    connection.execute(update(notices).where(notices.c.notice_id == notice.notice_id).values(values))


def recipients(connection: Connection, notice: Notice) -> list[Person]:
    """The people whom the notice is for: the person named, or all with the role (where none has it, the next above)."""
    people = list_people(connection, notice.tenant)
    kind, _, name = notice.recipient.partition(":")
    if kind == "person":
        return [person for person in people if same_person(person.name, name)]
    exactly = [person for person in people if Role(name) in person.roles]
    return exactly or [person for person in people if person.has(Role(name))]


def title(notice: Notice, lang: Literal["zh", "en"]) -> str:
    """The notice in one line."""
    return _said(_TITLES[notice.kind], notice, lang)


def body(notice: Notice, lang: Literal["zh", "en"]) -> str:
    """What stands below it: the words of whoever wrote some, and what it is about."""
    return _said(_BODY, notice, lang).strip()


def _said(text: tuple[str, str], notice: Notice, lang: Literal["zh", "en"]) -> str:
    words = {"by": "", "decision": "", "text": "", "review_id": notice.review_id, **notice.facts}
    return text[0 if lang == "zh" else 1].format(**words)


def _notice(row: Row[Any]) -> Notice:
    values = dict(row._mapping)
    return Notice(**{**values, "kind": NoticeKind(values["kind"]), "facts": json.loads(values["facts"])})
