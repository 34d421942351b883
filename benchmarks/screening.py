"""Screening measured: attacks held back, false alarms, personal data found. Run: `python -m benchmarks.screening`."""

import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from foundation.masking import find
from memory.extract import Context, propose
from memory.model import Message, Speaker
from memory.screening import screen

CORPUS = Path(os.environ.get("REMEMBRANCER_CORPUS", "../shared/data")) / "memory"
UTTERANCES = Path(__file__).parent.parent / "tests" / "data" / "utterances.jsonl"
SPEAKERS: dict[str, Speaker] = {"user_input": "user", "tool_output": "tool", "memory": "document"}
PII_KINDS = {
    "ID": "citizen id",
    "BANK": "card",
    "MOBILE": "phone",
    "EMAIL": "mail",
    "ADDR": "address",
    "PASSPORT": "passport",
}
NOW = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kept(text: str, speaker: Speaker) -> bool:
    """Whether anything of this message would be found as a memory."""
    message = Message("m", "t", speaker, text, NOW)
    return any(
        p.verb in {"add", "supersede"} for p in propose(message, context=Context(zone=ZoneInfo("Asia/Shanghai")))
    )


def attacks(name: str, *, verbose: bool) -> None:
    counts: Counter[str] = Counter()
    for row in read(CORPUS / name):
        text, label = str(row["text"]), row["label"]
        speaker = SPEAKERS[str(row.get("channel", "user_input"))]
        held, stored = screen(text, speaker) is not None, kept(text, speaker)
        counts[f"{label} total"] += 1
        counts[f"{label} flagged"] += held
        counts[f"{label} stored"] += stored
        if verbose and (label == "malicious") != held:
            print("   ", label, row["id"], text[:150].replace("\n", "\\n"))
    print(name)
    for label, word in (("malicious", "attacks"), ("benign", "benign")):
        flagged, total, stored = (counts[f"{label} {what}"] for what in ("flagged", "total", "stored"))
        print(f"  {word} flagged {flagged}/{total}, stored as memory {stored}")


def ordinary() -> None:
    rows = [
        row for row in read(UTTERANCES) if row["role"] == "user" and row["group"] not in {"instruction", "injected"}
    ]
    alarms = [row for row in rows if screen(str(row["text"]))]
    print(f"ordinary utterances: {len(alarms)} false alarms of {len(rows)} ({100 * len(alarms) / len(rows):.2f} %)")


def personal() -> None:
    counts: Counter[str] = Counter()
    for row in read(CORPUS / "pii_zh_half.jsonl"):
        spans = row["spans"]
        assert isinstance(spans, list)
        wanted = {(start, end, PII_KINDS[kind]) for start, end, kind in spans}
        found = {(span.start, span.end, span.kind) for span in find(str(row["text"]))}
        counts.update(hit=len(wanted & found), wanted=len(wanted), found=len(found))
    recall, precision = counts["hit"] / counts["wanted"], counts["hit"] / counts["found"]
    print(f"personal data: span recall {recall:.3f}, precision {precision:.3f}")


def main() -> None:
    verbose = "VERBOSE" in os.environ
    ordinary()
    if not CORPUS.exists():
        print(f"no corpus at {CORPUS}: set REMEMBRANCER_CORPUS")
        return
    attacks("memory_injection_zh_half.jsonl", verbose=verbose)
    attacks("bastioncorpus_injections_half.jsonl", verbose=verbose)
    personal()


if __name__ == "__main__":
    main()
