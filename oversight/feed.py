"""The live feed: what the program does, as it does it, for whoever watches.

An event is published in the transaction of the effect it tells of: what was rolled back was never told, and what was
told has happened. Numbers are handed out under a lock that is held until the commit, so a reader who asks for what
came after the last number he saw misses nothing and sees nothing twice. Old events are pruned; the audit log is what
is kept.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from foundation.upserts import add_up
from oversight.action import Message
from oversight.tables import feed_events, feed_heads

KEPT = 20_000
"""So many of a tenant's newest events survive pruning."""

TEXTS: Mapping[str, Message] = {
    "batch_opened": {"zh": "批次 {name} 开始：{files} 个文件", "en": "Batch {name} began: {files} files"},
    "batch_finished": {"zh": "批次 {name} 结束", "en": "Batch {name} finished"},
    "run_ended": {"zh": "运行被熔断终止：{why_zh}", "en": "The run was ended by its breaker: {why_en}"},
    "booked": {"zh": "{label} 已入账，{amount} {currency}", "en": "{label} was booked: {amount} {currency}"},
    "duplicate": {"zh": "{label} 与先到的重复", "en": "{label} is a duplicate"},
    "waits": {"zh": "{label} 等待审批：{rules}", "en": "{label} waits for a person: {rules}"},
    "held": {"zh": "{label} 暂扣，不入账：{rules}", "en": "{label} is held and not booked: {rules}"},
    "unreadable": {"zh": "{label} 无法读取", "en": "{label} can't be read"},
    "would_book": {"zh": "{label}：若非影子模式会入账", "en": "{label} would have been booked"},
    "would_ask": {"zh": "{label}：若非影子模式会请人审批：{rules}", "en": "{label} would have asked a person: {rules}"},
    "sampled": {"zh": "{label} 被抽查", "en": "{label} is sampled for a check"},
    "decided": {"zh": "{by} 对 {label} 的决定：{decision}", "en": "{by} decided on {label}: {decision}"},
    "answered": {"zh": "{by} 答复了关于 {label} 的询问", "en": "{by} answered about {label}"},
    "braked": {"zh": "{by} 拉下刹车（{scope}）：{why}", "en": "{by} pulled the brake ({scope}): {why}"},
    "released": {"zh": "{by} 松开刹车（{scope}）：{why}", "en": "{by} released the brake ({scope}): {why}"},
    "stopped": {"zh": "刹车生效，{waiting} 项在等待", "en": "The brake stopped the run: {waiting} wait"},
    "limit_changed": {
        "zh": "{by} 将限额 {name} 由 {before} 改为 {value}（{scope}）",
        "en": "{by} changed the limit {name} from {before} to {value} ({scope})",
    },
    "rule_proposed": {"zh": "提议新规则：{what_zh}", "en": "A rule is proposed: {what_en}"},
    "rule_settled": {
        "zh": "{by} 对规则提议（{rule}，{party}）的决定：{decision}",
        "en": "{by} on the proposed rule ({rule}, {party}): {decision}",
    },
}
"""Kind of event -> its words; another field's kinds are added here, one entry each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened. `facts` fill the words of its kind and hold nothing that isn't plain data."""

    kind: str
    subject: str = ""
    """What it is about: an invoice's, a batch's, a review's id."""
    batch: str = ""
    thread: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0
    """Its place in the tenant's feed, from 1; 0 while it is not published."""
    at: datetime | None = None

    def text(self, lang: str) -> str:
        """The event in words, zh or en; a kind without words is its own name."""
        words = TEXTS.get(self.kind)
        return words[lang].format_map(_Facts(self.facts)) if words else self.kind

    def to_json(self) -> dict[str, Any]:
        """The event as plain data, words in both languages included."""
        return {
            "seq": self.seq,
            "at": self.at.isoformat() if self.at else None,
            "kind": self.kind,
            "subject": self.subject,
            "batch": self.batch,
            "thread": self.thread,
            "facts": dict(self.facts),
            "text": {lang: self.text(lang) for lang in ("zh", "en")},
        }


class _Facts(dict[str, Any]):
    """Facts for a text: one that is missing stays a dash, because a feed must not stop over its words."""

    def __missing__(self, key: str) -> str:
        return "–"


def publish(connection: Connection, tenant: str, at: datetime, *events: Event) -> int:
    """Put events into the tenant's feed, within the transaction of what they tell of; returns the last one's number."""
    return publish_all(connection, tenant, at, events)


def publish_all(connection: Connection, tenant: str, at: datetime, events: Iterable[Event]) -> int:
    """The same for any number of events at once."""
    told = list(events)
    last = _numbers(connection, tenant, len(told))
    rows = [
        {
            "tenant": tenant,
            "seq": last - len(told) + place,
            "at": at,
            "batch": event.batch,
            "thread": event.thread,
            "kind": event.kind,
            "subject": event.subject,
            "facts": json.dumps(dict(event.facts), ensure_ascii=False, default=str),
        }
        for place, event in enumerate(told, start=1)
    ]
    if rows:
        connection.execute(insert(feed_events), rows)
    return last


def since(connection: Connection, tenant: str, seq: int, *, batch: str | None = None, limit: int = 500) -> list[Event]:
    """The tenant's events after number `seq`, in order, at most `limit`; only one batch's where `batch` names it."""
    query = select(feed_events).where(feed_events.c.tenant == tenant, feed_events.c.seq > seq)
    if batch is not None:
        query = query.where(feed_events.c.batch == batch)
    rows = connection.execute(query.order_by(feed_events.c.seq).limit(limit))
    return [_event(row) for row in rows]


def last_seq(connection: Connection, tenant: str) -> int:
    """The number of the tenant's newest event, 0 where there was none: what a new watcher begins after."""
    query = select(feed_heads.c.seq).where(feed_heads.c.tenant == tenant)
    return connection.execute(query).scalar_one_or_none() or 0


def prune(connection: Connection, tenant: str, *, keep: int = KEPT) -> int:
    """Delete all but the tenant's newest `keep` events; returns how many went. Numbers are never used again."""
    old = feed_events.c.seq <= last_seq(connection, tenant) - keep
    return connection.execute(delete(feed_events).where(feed_events.c.tenant == tenant, old)).rowcount


def _numbers(connection: Connection, tenant: str, many: int) -> int:
    """Take the next numbers; the row stays locked until the commit, so that no smaller number appears later."""
    return add_up(connection, feed_heads, {"tenant": tenant, "seq": many}, key=["tenant"], column="seq")


def _event(row: Row[Any]) -> Event:
    values = {name: row._mapping[name] for name in ("kind", "subject", "batch", "thread", "seq", "at")}
    return Event(**values, facts=json.loads(row.facts))
