"""The exercises of ARCHITECTURE.md: a check and a reader added, each by one function and one entry."""

from collections.abc import Iterator
from datetime import date

from invoices.checks import CHECKS, examine
from invoices.document import Document
from invoices.findings import Check, Context, Outcome, Problem
from invoices.policy import Company, Policy
from invoices.readers import READERS, Reader, read
from invoices.record import Invoice, Place, Reading

POLICY = Policy(company=Company(names=("青禾",), tax_ids=("91990000801689098N",)))
CONTEXT = Context(POLICY, date(2026, 11, 29))


def ends_in_four(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """Some people won't book a number that ends in four."""
    if invoice.text("number").endswith("4"):
        yield Problem("number", invoice.text("number"))


UNLUCKY = Check(
    id="unlucky",
    severity="hint",
    source="exercise",
    zh="号码 {read} 以 4 结尾",
    en="{read} ends in 4",
    run=ends_in_four,
)


def claims(document: Document) -> bool:
    return document.content.startswith(b"NOTE ")


def read_note(document: Document) -> Iterator[Invoice]:
    """`NOTE number total`, one invoice a line."""
    for line in document.content.decode().splitlines():
        _, number, total = line.split()
        place = Place(document.name)
        yield Invoice("note", {n: Reading(v, v, place, "note") for n, v in (("number", number), ("total", total))})


NOTES = (*READERS, Reader("note", claims, read_note))


def rules_of(invoice: Invoice) -> set[str]:
    return {finding.rule for finding in examine(invoice, CONTEXT, (*CHECKS, UNLUCKY)).findings}


def test_a_check_is_added_by_one_entry():
    lucky, unlucky = read(Document("a.txt", b"NOTE 123 5.00\nNOTE 124 5.00"), NOTES)
    assert "unlucky" not in rules_of(lucky)
    assert "unlucky" in rules_of(unlucky)
    (finding,) = [f for f in examine(unlucky, CONTEXT, (UNLUCKY,)).findings if f.rule == "unlucky"]
    assert (finding.message["zh"], finding.trigger) == ("号码 124 以 4 结尾", None)


def test_a_reader_is_added_by_one_entry():
    (invoice,) = read(Document("a.txt", b"NOTE 123 5.00"), NOTES)
    assert (invoice.text("number"), str(invoice.money("total"))) == ("123", "5.00")
