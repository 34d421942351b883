from docs.make_rules import TARGET, text
from invoices.checks import CHECKS


def test_the_rules_document_is_made_from_the_table_as_it_is() -> None:
    assert TARGET.read_text("utf-8") == text(), "run: uv run python docs/make_rules.py"


def test_the_rules_document_names_every_rule_with_its_source_and_both_languages() -> None:
    document = TARGET.read_text("utf-8")
    for check in CHECKS:
        assert f"| {check.id} | {check.severity} | {check.source} |" in document
