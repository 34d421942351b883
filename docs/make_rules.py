"""Writes docs/rules.md from the table of rules: `uv run python docs/make_rules.py`."""

from pathlib import Path

from invoices.checks import CHECKS
from invoices.findings import Check, Scope

TARGET = Path(__file__).parent / "rules.md"
_SCOPES: dict[Scope, str] = {
    "any": "Every invoice",
    "cn": "Chinese invoices",
    "en16931": "Invoices in a syntax of EN 16931 (UBL, CII)",
}
_FOOT = """
## What these rules do not check

- Whether a company or a VAT id exists: nobody asks VIES, HMRC or the company register.
- Whether an invoice is genuine, unless answers of the tax office are given (`[lookup]`); no captcha is passed.
- EN 16931 beyond the record: BR-50, BR-51 (card numbers), BR-CO-19 and BR-CO-20 (empty period groups), the identifier
  schemes of BR-CL-10, -11, -13, -21, -24 to -26, and the units and charge reasons of BR-CL-20 and BR-CL-23 beyond their
  shape. BR-CO-15 is split: the number of VAT totals stands under its own id, the sum is `net_tax_total`; BR-CL-04 is
  `currency_code`; BR-CO-21 to BR-CO-24 are the same demands as BR-33, BR-38, BR-42 and BR-44.
- Add-ons of networks and countries (PEPPOL, XRechnung's BR-DE and others): give a compiled schematron of your own.
- The meaning of the law: sources marked as notices name where a rule comes from, they do not replace reading it.
"""
_HEAD = """# Rules

Made from the table of rules by `uv run python docs/make_rules.py`; a test keeps it current.

- **hard**: only an override or a correction gets past. **review**: a person looks. **hint**: ranks, never pauses.
- A rule that could not be executed says why in the report. It never counts as passed; where nothing may be approved
  without it, a person looks.
- A company may raise a rule's severity (`[severity]`), switch off what isn't hard (`off`), and lower or switch off a
  hard rule only by a `[[lowered]]` entry that names who, when and why.
- Limits are inclusive: a total of the limit itself is at the limit.
- The severity below is the rule's usual one; a single finding may be graver or milder (a buyer's name that differs
  beside the right tax id is a hint; a red letter that names no blue invoice is hard).
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("{", "‹").replace("}", "›")


def _rows(rules: list[Check]) -> str:
    head = "| id | severity | source | zh | en |\n| --- | --- | --- | --- | --- |\n"
    cells = ((rule.id, rule.severity, rule.source, rule.zh, rule.en) for rule in rules)
    return head + "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in cells)


def text() -> str:
    """The whole document."""
    parts = [_HEAD]
    for scope, title in _SCOPES.items():
        rules = [rule for rule in CHECKS if rule.scope == scope]
        parts.append(f"\n## {title} ({len(rules)})\n\n{_rows(rules)}")
    return "".join([*parts, _FOOT])


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
