"""The audit log: what is logged with a change is committed with it, and whatever is done to it later is noticed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import delete, text, update

from foundation.database import open_engine, writing
from foundation.journal import Journal, audit_content, audit_heads, audit_log
from foundation.schema import upgrade

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    engine = open_engine(f"sqlite:///{tmp_path / 'log.db'}")
    upgrade(engine)
    kept = Journal(engine, tmp_path / "heads", lambda: NOW)
    for tenant, count in (("acme", 5), ("other", 2)):
        for number in range(count):
            with kept.transaction() as transaction:
                transaction.log(tenant, "lin", "booked", f"inv_{number}", amount="12.50", note="备注")
    return kept


def tamper(journal: Journal, *statements: object) -> None:
    with writing(journal._engine) as connection:
        for statement in statements:
            connection.execute(statement)


def test_an_untouched_log_verifies_for_each_tenant(journal: Journal):
    assert (journal.verify("acme").rows, journal.verify("acme").fault) == (5, "")
    assert (journal.verify("other").rows, journal.verify("other").fault) == (2, "")
    assert journal.verify("nobody").rows == 0


def log_and_fail(journal: Journal) -> None:
    with journal.transaction() as transaction:
        transaction.log("acme", "lin", "booked", "inv_9")
        raise RuntimeError


def test_a_failed_transaction_leaves_no_line(journal: Journal):
    with pytest.raises(RuntimeError):
        log_and_fail(journal)
    assert (journal.verify("acme").rows, journal.verify("acme").fault) == (5, "")


def test_an_edited_line_is_named(journal: Journal):
    tamper(journal, update(audit_log).where(audit_log.c.tenant == "acme", audit_log.c.seq == 3).values(actor="eve"))
    assert journal.verify("acme").fault == "row 3 was changed or moved"


def test_edited_content_is_named(journal: Journal):
    row = (audit_content.c.tenant == "acme", audit_content.c.seq == 2)
    tamper(journal, update(audit_content).where(*row).values(content='{"amount": "0.01"}'))
    assert journal.verify("acme").fault == "the content of row 2 was changed"


def test_deleted_content_leaves_the_chain_whole(journal: Journal):
    tamper(journal, delete(audit_content).where(audit_content.c.tenant == "acme", audit_content.c.seq == 2))
    assert journal.verify("acme").fault == ""


def test_two_swapped_lines_are_named(journal: Journal):
    swap = "UPDATE audit_log SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE tenant = 'acme' AND seq IN (2, 3)"
    tamper(journal, text(swap), text("UPDATE audit_log SET seq = -seq WHERE seq < 0"))
    assert journal.verify("acme").fault == "row 2 was changed or moved"


def test_a_missing_line_is_named(journal: Journal):
    tamper(journal, delete(audit_log).where(audit_log.c.tenant == "acme", audit_log.c.seq == 3))
    assert journal.verify("acme").fault == "row 3 is missing"


def cut_tail(journal: Journal) -> None:
    """Cut the last two lines as somebody would who knows the tables: the database's own head is moved back, too."""
    third = text("SELECT hash FROM audit_log WHERE tenant = 'acme' AND seq = 3")
    with writing(journal._engine) as connection:
        kept = connection.execute(third).scalar_one()
    tamper(
        journal,
        delete(audit_log).where(audit_log.c.tenant == "acme", audit_log.c.seq > 3),
        delete(audit_content).where(audit_content.c.tenant == "acme", audit_content.c.seq > 3),
        update(audit_heads).where(audit_heads.c.tenant == "acme").values(seq=3, hash=kept),
    )


def test_a_cut_tail_is_noticed_and_named(journal: Journal):
    cut_tail(journal)
    assert journal.verify("acme").fault == "rows 4 to 5 were cut off: the head kept outside the database names row 5"


def test_a_cut_tail_is_noticed_after_new_lines_grew_over_it(journal: Journal):
    cut_tail(journal)
    for number in range(2):
        with journal.transaction() as transaction:
            transaction.log("acme", "eve", "booked", f"new_{number}")
    assert journal.verify("acme").fault == "row 5 is not the one that the head kept outside the database names"


def test_a_torn_last_line_of_the_head_file_is_ignored(journal: Journal, tmp_path: Path):
    (head,) = [file for file in (tmp_path / "heads").iterdir() if "5 " in file.read_text()]
    head.write_text(head.read_text() + "6 abc")
    assert journal.verify("acme").fault == ""
