"""Extraction measured on our labelled utterances. Run: `python -m benchmarks.extraction [tuned]`.

A proposal is right when it answers a label: same verb group (keep, forget, quarantine), same polarity, same subject, and
the words the label asks for in its content or value. A label is found when a proposal answers it. `also` names further
true facts of an utterance that may be kept but needn't.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from memory.extract import Context, propose
from memory.model import Message, Proposal

UTTERANCES = Path(__file__).parent.parent / "tests" / "data" / "utterances.jsonl"
SAID_AT = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
KEEP = {"add", "supersede"}


@dataclass
class Score:
    right: int = 0
    proposed: int = 0
    found: int = 0
    wanted: int = 0

    def line(self, name: str) -> str:
        precision = self.right / self.proposed if self.proposed else 1.0
        recall = self.found / self.wanted if self.wanted else 1.0
        counts = f"({self.right}/{self.proposed})  recall {recall:.3f} ({self.found}/{self.wanted})"
        return f"{name:28} precision {precision:.3f} {counts}"


def run(row: dict[str, object]) -> list[Proposal]:
    previous = tuple(
        Message(f"p{i}", "t", turn["role"], turn["text"], SAID_AT) for i, turn in enumerate(row.get("previous", []))
    )
    message = Message("m", "t", row["role"], row["text"], SAID_AT)
    return propose(message, context=Context(zone=ZoneInfo("Asia/Shanghai"), previous=previous))


def answers(proposal: Proposal, label: dict[str, object]) -> bool:
    if (proposal.verb in KEEP) != (label["verb"] in KEEP) or (
        proposal.verb not in KEEP and proposal.verb != label["verb"]
    ):
        return False
    text = f"{proposal.content} {proposal.value or ''}".lower()
    if not all(word.lower() in text for word in label["must_contain"]):
        return False
    if label["verb"] not in KEEP:
        return True
    slot = label.get("slot")
    same_subject = not slot or not proposal.slot or proposal.slot.subject == slot["subject"]
    return same_subject and (slot is None or proposal.polarity == label["polarity"])


def harmless(proposal: Proposal, row: dict[str, object]) -> bool:
    text = f"{proposal.content} {proposal.value or ''}".lower()
    return proposal.verb in KEEP and any(word.lower() in text for word in row.get("also", []))


def main() -> None:
    split = sys.argv[1] if len(sys.argv) > 1 else "frozen"
    rows = [json.loads(line) for line in UTTERANCES.read_text(encoding="utf-8").splitlines()]
    scores: dict[str, Score] = {}
    details: Counter[str] = Counter()
    for row in (row for row in rows if row["split"] == split):
        proposals, labels = run(row), row["labels"]
        right = [p for p in proposals if any(answers(p, label) for label in labels) or harmless(p, row)]
        found = [label for label in labels if any(answers(p, label) for p in proposals)]
        for name in ("all", f"language {row['lang']}", f"group {row['group']}"):
            score = scores.setdefault(name, Score())
            score.right += len(right)
            score.proposed += len(proposals)
            score.found += len(found)
            score.wanted += len(labels)
        _details(details, proposals, labels)
        if split == "tuned" and "-v" in sys.argv and (len(right) < len(proposals) or len(found) < len(labels)):
            _show(row, proposals, right, found)
    for name in sorted(scores):
        print(scores[name].line(name))
    for what in ("kind", "category", "slot"):
        print(f"{what} right where the label is found: {details[what]}/{details[f'{what} of']}")
    print(f"utterances not to be kept that gave something: {details['junk']} of {details['empty']}")


def _details(details: Counter[str], proposals: list[Proposal], labels: list[dict[str, object]]) -> None:
    details["empty"] += not labels
    details["junk"] += not labels and bool(proposals)
    looks: dict[str, Callable[[Proposal, dict[str, object]], bool]] = {
        "kind": lambda p, label: p.kind == label["kind"],
        "category": lambda p, label: p.category == label["category"],
        "slot": lambda p, label: p.slot is not None and p.slot.attribute.split(":")[0] == label["slot"]["attribute"],
    }
    for label in labels:
        matching = [p for p in proposals if answers(p, label)]
        for what, look in looks.items():
            if matching and label["verb"] in KEEP and (what != "slot" or label.get("slot")):
                details[f"{what} of"] += 1
                details[what] += any(look(p, label) for p in matching)


def _show(row: dict[str, object], proposals: list[Proposal], right: list[Proposal], found: list[object]) -> None:
    print(row["id"], repr(row["text"]))
    for p in proposals:
        mark = "ok " if p in right else "BAD"
        print(f"   {mark} {p.verb} {p.rule} {p.content!r} {p.slot and p.slot.attribute} {p.value!r} {p.polarity}")
    for label in row["labels"]:
        if label not in found:
            print("   MISSED", label["verb"], label.get("slot"), label["must_contain"], label.get("polarity"))


if __name__ == "__main__":
    main()
