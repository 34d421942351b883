"""How far our own rules of EN 16931 agree with CEN's unit fragments.

    uv run python benchmarks/en16931_rules.py [--corpus DIR]

Each file holds fragments of invoices that must pass or must fail one rule. A fragment is read by the ordinary reader
and judged by the ordinary rules; only the rule in the file's scope counts.
"""

import argparse
import os
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lxml import etree

from invoices.checks import CHECKS, examine
from invoices.document import Document
from invoices.findings import Context
from invoices.policy import Company, Policy
from invoices.readers import read

HERE = Path(__file__).resolve().parent.parent
OURS = {"BR-CO-15": ("BR-CO-15", "net_tax_total"), "BR-CL-04": ("currency_code",)}
"""Rules of the standard that are rules of ours under other names."""


@dataclass(frozen=True)
class Fragment:
    file: str
    number: int
    rule: str
    must_pass: bool
    content: bytes


def fragments(path: Path):
    root = etree.fromstring(path.read_bytes())
    space = {"t": "http://difi.no/xsd/vefa/validator/1.0"}
    for number, test in enumerate(root.iterfind("t:test", space), start=1):
        wanted = {kind: test.findtext(f"t:assert/t:{kind}", None, space) for kind in ("success", "error", "warning")}
        must_pass = wanted["success"] is not None
        rule = next(text for text in wanted.values() if text).strip()
        content = etree.tostring(test[-1])
        yield Fragment(path.name, number, rule, must_pass, content)


def fires(fragment: Fragment, context: Context) -> bool | None:
    rules = OURS.get(fragment.rule, (fragment.rule,))
    if not set(rules) <= {check.id for check in CHECKS}:
        return None
    invoice = next(read(Document(fragment.file, fragment.content)))
    return any(finding.rule in rules for finding in examine(invoice, context).findings)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=os.environ.get("REMEMBRANCER_CORPUS", HERE / "../shared/data"))
    folder = Path(parser.parse_args().corpus) / "invoices" / "en16931_unit"
    if not folder.is_dir():
        print(f"{folder} is not there: name the corpus with --corpus or REMEMBRANCER_CORPUS")
        return 2
    context = Context(Policy(company=Company(names=("-",), tax_ids=("-",))), date(2026, 1, 1))
    tally: Counter[str] = Counter()
    for path in sorted(folder.glob("*.xml")):
        for fragment in fragments(path):
            fired = fires(fragment, context)
            agrees = fired is not None and fired != fragment.must_pass
            tally["not ours" if fired is None else "agree" if agrees else "disagree"] += 1
            if not agrees:
                wanted = "pass" if fragment.must_pass else "fail"
                print(f"{fragment.file} no. {fragment.number}: {fragment.rule} must {wanted}, ours says {fired}")
    print(", ".join(f"{name}: {count}" for name, count in tally.items()), f"of {tally.total()} fragments")
    return 0


if __name__ == "__main__":
    sys.exit(main())
