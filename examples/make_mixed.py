"""Write `examples/mixed/`: invoices in every form with every kind of fault, and `mixed_truth.json`, what must come out.

    python examples/make_mixed.py [--font FILE]

Everything is made up: ids come from an algorithm, in a region that doesn't exist. Pictures of Chinese invoices need a
font file with Chinese letters (`--font`); without one the pictures that are there stay as they are.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.forms import mixed_cn, mixed_eu, mixed_lists, mixed_scans
from examples.forms.truth import Made

FOLDER = Path(__file__).resolve().parent / "mixed"


def documents(font: str | None = None) -> Iterator[Made]:
    """All documents with what must come out of each; pictures only with a font."""
    yield from mixed_cn.structured()
    yield from mixed_cn.packages()
    yield from mixed_cn.printed()
    yield from mixed_eu.structured()
    yield from mixed_eu.hybrid()
    yield from mixed_eu.printed()
    yield from mixed_lists.documents()
    if font:
        yield from mixed_scans.documents(font)


def main() -> None:
    """Write the files and the truth table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--font", help="a TrueType or OpenType font with Chinese letters, for the pictures")
    font = parser.parse_args().font
    FOLDER.mkdir(exist_ok=True)
    truth_file = FOLDER.with_name("mixed_truth.json")
    before = {} if font or not truth_file.exists() else json.loads(truth_file.read_text(encoding="utf-8"))
    truth = {name: entry for name, entry in before.items() if name.startswith("scan-")}
    for made in documents(font):
        (FOLDER / made.name).write_bytes(made.content)
        truth[made.name] = made.entry()
    text = json.dumps(dict(sorted(truth.items())), ensure_ascii=False, indent=1)
    truth_file.write_text(text + "\n", encoding="utf-8")
    print(f"{len(truth)} documents in {FOLDER.name}/, {sum(f.stat().st_size for f in FOLDER.iterdir()) // 1024} KB")


if __name__ == "__main__":
    main()
