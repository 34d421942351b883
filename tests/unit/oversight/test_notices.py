"""The outbox: each notice once, tried again after a failure, in both languages."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Connection

from foundation.database import open_engine, writing
from foundation.schema import upgrade
from oversight.notices import NoticeKind, announce, body, mark_failed, mark_sent, pending, recipients, title, waits_for
from oversight.people import Person, Role, add_person
from oversight.reviews import Review

NOW = datetime(2026, 11, 29, 9, tzinfo=UTC)
REVIEW = Review(
    review_id="rev_1",
    tenant="acme",
    thread_id="t",
    action="book_invoice",
    subject="inv_1",
    headline="青禾 {123}",
    amount=Decimal("100.50"),
    currency="CNY",
    submitter="qi",
    batch="september",
    question={"triggers": []},
    digest="d",
    opened_at=NOW,
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = open_engine(f"sqlite:///{tmp_path / 'notices.db'}")
    upgrade(engine)
    with writing(engine) as opened:
        yield opened
    engine.dispose()


def test_the_same_notice_in_the_same_turn_is_one_and_sent_once(connection: Connection):
    for _ in range(2):
        announce(connection, REVIEW, NoticeKind.ASKED, "person:qi", NOW, turn="1", by="lin", text="which contract?")
    announce(connection, REVIEW, NoticeKind.ASKED, "person:qi", NOW, turn="2", by="lin", text="and which order?")
    notices = pending(connection, 10, now=NOW)
    assert len(notices) == 2
    assert mark_sent(connection, notices[0].notice_id, NOW)
    assert not mark_sent(connection, notices[0].notice_id, NOW)
    assert [one.notice_id for one in pending(connection, 10, now=NOW)] == [notices[1].notice_id]


def test_a_failed_notice_waits_longer_each_time_and_a_day_at_most(connection: Connection):
    announce(connection, REVIEW, NoticeKind.OPENED, waits_for(REVIEW), NOW)
    now, waits = NOW, []
    for _ in range(14):
        (notice,) = pending(connection, 10, now=now)
        mark_failed(connection, notice, "no route", now)
        assert pending(connection, 10, now=now) == []
        later = next(m for m in range(1, 2000) if pending(connection, 1, now=now + timedelta(minutes=m)))
        waits.append(later)
        now += timedelta(minutes=later)
    assert waits[:4] == [1, 2, 4, 8]
    assert max(waits) == 24 * 60
    assert pending(connection, 1, now=now)[0].error == "no route"


def test_every_kind_has_its_words_in_both_languages_whatever_the_headline_holds(connection: Connection):
    for kind in NoticeKind:
        announce(connection, REVIEW, kind, "role:reviewer", NOW, by="lin", decision="reject", text="forged {x}")
    for notice in pending(connection, 100, now=NOW):
        assert "青禾 {123}" in title(notice, "zh")
        assert "青禾 {123}" in title(notice, "en")
        assert title(notice, "zh") != title(notice, "en")
        assert "forged {x}" in body(notice, "en")
        assert "100.50 CNY" in body(notice, "zh")


def test_a_role_reaches_who_has_it_and_where_nobody_has_it_the_next_above(connection: Connection):
    for name, role in (("lin", Role.REVIEWER), ("wu", Role.ADMIN)):
        add_person(connection, Person(tenant="acme", name=name, roles=frozenset({role}), added_at=NOW))
    for recipient in ("role:reviewer", "role:manager", "person:LIN", "person:nobody"):
        announce(connection, REVIEW, NoticeKind.OPENED, recipient, NOW)
    found = {
        one.recipient: [who.name for who in recipients(connection, one)] for one in pending(connection, 9, now=NOW)
    }
    assert found == {"role:reviewer": ["lin"], "role:manager": ["wu"], "person:LIN": ["lin"], "person:nobody": []}
