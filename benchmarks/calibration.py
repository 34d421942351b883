"""What a confidence means: reliability tables of each reader and of the memory extractor, on labelled data.

    REMEMBRANCER_CORPUS=../shared/data python -m benchmarks.calibration [--code]

Readers are measured on the project's own samples (`examples/mixed` with its truths) and, where it is there, on the public
corpus; the extractor on `tests/data/utterances.jsonl`. `--code` prints the readers' table as it is shipped in
`invoices/readers/measured.py`.
"""

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpus import FIELDS, agrees, corpus, wanted_value
from benchmarks.extraction import UTTERANCES, answers, harmless, run
from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import read
from invoices.record import Invoice
from oversight.calibration import Reliability, reliability, table_lines

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
Value = tuple[str, float, bool]
"""Reader, raw confidence, whether the value was right."""


def own_samples() -> Iterator[Value]:
    """Every value read from the project's mixed samples whose truth is written down."""
    truths = json.loads((EXAMPLES / "mixed_truth.json").read_text("utf-8"))
    for name, truth in truths.items():
        path = EXAMPLES / "mixed" / name
        if path.is_file() and truth["invoices"]:
            for invoice, wanted in zip(_read(path, name), truth["invoices"], strict=False):
                yield from _values(invoice, {key: str(value) for key, value in wanted.items()})


def public_corpus() -> Iterator[Value]:
    """Every value read from the public corpus whose truth its table states."""
    folder = corpus()
    if not (folder / "corpus.tsv").exists():
        return
    for row in csv.DictReader((folder / "corpus.tsv").open(encoding="utf-8"), delimiter="\t"):
        if row["file"].startswith("en16931_unit/") or row["file"].endswith(".json"):
            continue
        invoices = _read(folder / row["file"], row["file"])
        wanted = {name: wanted_value(row[name]) for name in FIELDS}
        for invoice in invoices[:1]:
            yield from _values(invoice, wanted)


def _read(path: Path, name: str) -> list[Invoice]:
    try:
        return list(read(Document(name, path.read_bytes())))
    except UnreadableError:
        return []


def _values(invoice: Invoice, wanted: dict[str, str]) -> Iterator[Value]:
    for name, value in wanted.items():
        reading = invoice.fields.get(name)
        if name in FIELDS and value and reading and reading.value:
            yield reading.reader, reading.confidence, agrees(name, value, reading.value)


def extractor_values() -> Iterator[Value]:
    """Every proposal of the extractor on the labelled utterances."""
    for line in UTTERANCES.read_text("utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        for proposal in run(row):
            right = any(answers(proposal, label) for label in row["labels"]) or harmless(proposal, row)
            yield f"memory extractor ({row['split']})", proposal.confidence, right


def tables(values: Iterator[Value]) -> list[Reliability]:
    """One table for each reader."""
    by_reader: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for reader, raw, right in values:
        by_reader[reader].append((raw, right))
    return [reliability(reader, found) for reader, found in sorted(by_reader.items())]


def main() -> None:
    """Print the tables."""
    own, public = list(own_samples()), list(public_corpus())
    readers = tables(iter([*own, *public]))
    if "--code" in sys.argv:
        for table in readers:
            bins = ", ".join(f"({one.raw}, {one.count}, {one.right})" for one in table.bins)
            print(f'    "{table.name}": ({bins},),')
        return
    print(f"readers: {len(own)} values of our own samples, {len(public)} of the public corpus")
    for table in [*readers, *tables(extractor_values())]:
        print(*table_lines(table), sep="\n")


if __name__ == "__main__":
    main()
