"""Memories as plain data: what `--json` prints and other programs read."""

from collections.abc import Iterable
from typing import Any

from memory.model import Event, Outcome, Recall, Receipt, Remembered, Slot, Source


def outcome_json(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """What became of one message, statement by statement."""
    return [
        {
            "status": each.status,
            "memory_id": each.memory_id,
            "content": each.content,
            "kind": each.kind,
            "category": each.category,
            "slot": _slot(each.slot),
        }
        for each in outcomes
    ]


def recall_json(recall: Recall) -> dict[str, Any]:
    """The answer of a search."""
    return {
        "query": recall.query,
        "degraded": list(recall.degraded),
        "recollections": [
            {
                "memory_id": each.memory.memory_id,
                "content": each.memory.content,
                "score": round(each.score, 4),
                "arms": [arm.name for arm in each.arms],
                "sources": [source_json(source) for source in each.memory.sources],
            }
            for each in recall.recollections
        ],
        "dropped": recall.dropped,
    }


def memory_json(memory: Remembered) -> dict[str, Any]:
    """A memory with its sources: what is known, since when, and why."""
    return {
        "memory_id": memory.memory_id,
        "content": memory.content,
        "status": memory.status,
        "kind": memory.kind,
        "category": memory.category,
        "slot": _slot(memory.slot),
        "value": memory.value,
        "topic": memory.topic,
        "importance": memory.importance,
        "confidence": round(memory.confidence, 3),
        "version": memory.version,
        "replaces": memory.replaces,
        "replaced_by": memory.replaced_by,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "recorded_at": memory.recorded_at,
        "expires_at": memory.expires_at,
        "rule": memory.rule,
        "sources": [source_json(source) for source in memory.sources],
    }


def source_json(source: Source) -> dict[str, Any]:
    """Where a memory comes from."""
    return {
        "thread_id": source.thread_id,
        "message_id": source.message_id,
        "quote": source.quote,
        "speaker": source.speaker,
        "said_at": source.said_at.isoformat(),
    }


def event_json(event: Event) -> dict[str, Any]:
    """One line of a history."""
    return {
        "memory_id": event.memory_id,
        "what": event.what,
        "at": event.at.isoformat(),
        "actor": event.actor,
        "rule": event.rule,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
    }


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """What a deletion did, place by place."""
    return {
        "counts": {place: {"before": before, "after": after} for place, (before, after) in receipt.counts.items()},
        "proved": list(receipt.proved),
        "requested": list(receipt.requested),
        "retained": receipt.retained,
        "remaining": receipt.remaining,
        "shared": receipt.shared,
    }


def _slot(slot: Slot | None) -> dict[str, str] | None:
    return {"subject": slot.subject, "attribute": slot.attribute} if slot else None
