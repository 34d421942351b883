"""Years of an office by a clock that is moved.

Batches come in weekly, people decide, claim, reopen and go away, the worker reminds, escalates and expires, the file of
threads is pruned - and what must always be true is looked at each year.
"""

import logging
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from foundation.database import reading
from foundation.errors import NotAllowedError
from oversight.action import DecisionKind
from oversight.checkpoints import ThreadState, open_saver
from oversight.reviews import Review, ReviewStatus, find_review
from remembrancer.office import Office, Swept
from remembrancer.retention import prune_closed
from remembrancer.wiring import open_services
from remembrancer.worker import Worker
from tests.support.house import House, build_house
from tests.support.papers import Doubt, Papers, make_sample

_BEGIN = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
_WEEKS_A_YEAR = 52
_PEOPLE = ("lin", "wu", "zhao")
_KINDS: tuple[DecisionKind, ...] = ("approve", "edit", "reject", "respond")
_APPROVAL = "[approval]\ndue_days = 3\nremind_days = 1\nescalate_days = 2\nexpire_days = 45\n"
_DOUBTS: tuple[Doubt, ...] = ("over_limit", "broken_id")
_BUSY, _LEAVES = 0.4, 0.03
"""How likely a day is on which somebody decides, and a week in which all go away."""
_AWAY = 9
"""Weeks for which they are away then: longer than what waits may wait."""
_EACH_WAITS, _REST = 60_000, 400_000
"""Bytes of checkpoints that a waiting review, and everything closed in a year, may take after a pruning."""


@dataclass
class Moved:
    """A clock that is moved by hand; looks at it are a moment apart."""

    now: datetime = _BEGIN

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def __hash__(self) -> int:
        return id(self)


@dataclass
class Tally:
    """What happened in the years, and how long the first and the last of them took."""

    weeks: int = 0
    opened: int = 0
    decided: dict[str, int] = field(default_factory=dict)
    expired: int = 0
    reopened: int = 0
    claims: int = 0
    steps: int = 0
    pruned: int = 0
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.decided.items()))
        return (
            f"{self.weeks // _WEEKS_A_YEAR} years: {self.opened} reviews opened, {kinds}, {self.expired} expired,"
            f" {self.reopened} reopened, {self.claims} claimed, {self.steps} reminders and escalations,"
            f" {self.pruned} checkpoints pruned; first year {self.seconds[0]:.0f} s, last {self.seconds[-1]:.0f} s"
        )


class Years:
    """An office, its people and its calendar."""

    def __init__(self, house: House, office: Office, clock: Moved, chance: random.Random) -> None:
        self._house, self._office, self._clock, self._chance = house, office, clock, chance
        self._worker = Worker(office)
        self.tally = Tally()

    def run(self, weeks: int) -> Tally:
        """Live so many weeks, looking at everything once a year and at the end."""
        begun, away = time.monotonic(), 0
        for week in range(weeks):
            self._batch(week)
            away = _AWAY if self._chance.random() < _LEAVES else max(away - 1, 0)
            for _ in range(7):
                self._day(absent=away > 0)
            self.tally.weeks += 1
            if week % 4 == 3:
                self._prune()
            if week % _WEEKS_A_YEAR == _WEEKS_A_YEAR - 1 or week == weeks - 1:
                check(self._house, self._office)
                self.tally.seconds.append(time.monotonic() - begun)
                print(self.tally, flush=True)
                begun = time.monotonic()
        return self.tally

    def _batch(self, week: int) -> None:
        papers = Papers(self._house.root / f"week-{week}", *_rest_of(self._house.papers))
        papers.folder.mkdir()
        for number, doubt in enumerate((None, *_DOUBTS)):
            sample = make_sample(papers, self._chance, week * 10 + number, doubt)
            papers.write(f"{number}.xml", sample)
        before = self._count("reviews")
        start = {"paths": [str(papers.folder)], "policy": str(papers.policy), "submitter": "clerk"}
        self._office.audit(start, name=f"week-{week}")  # type: ignore[arg-type]
        self.tally.opened += self._count("reviews") - before

    def _day(self, *, absent: bool) -> None:
        self._clock.now += timedelta(days=1)
        done = self._worker.run_due()
        self.tally.expired += done.get("expire", 0)
        self.tally.steps += done.get("remind", 0)
        if absent or self._chance.random() > _BUSY:
            return
        for review in self._reviews(ReviewStatus.OPEN, most=2):
            self._handle(review)
        for review in self._reviews(ReviewStatus.EXPIRED, most=1):
            if self._chance.random() < 0.5:
                self._office.reopen(review.review_id, "wu", "found again")
                self.tally.reopened += 1

    def _handle(self, review: Review) -> None:
        person, kind = self._chance.choice(_PEOPLE), self._chance.choice(_KINDS)
        if self._chance.random() < 0.3:
            self._claim(review, person)
        edits = _correction(review) if kind == "edit" else None
        if kind == "edit" and not edits:
            kind = "approve"
        try:
            self._office.decide(review.review_id, kind, by=person, reason="verified by phone", edits=edits)
        except NotAllowedError:
            return  # Somebody else has it on his table.
        self.tally.decided[kind] = self.tally.decided.get(kind, 0) + 1

    def _claim(self, review: Review, person: str) -> None:
        try:
            self._office.desk.claim(review.tenant, review.review_id, person)
        except NotAllowedError:
            return
        self.tally.claims += 1

    def _prune(self) -> None:
        self.tally.pruned += prune_closed(self._office, days=7).checkpoints

    def _reviews(self, status: ReviewStatus, *, most: int) -> list[Review]:
        query = "SELECT review_id FROM reviews WHERE status = ? ORDER BY review_id"
        found = [review_id for (review_id,) in self._house.ask(query, status)]
        chosen = self._chance.sample(found, min(most, len(found)))
        with reading(self._office.services.engine) as connection:
            return [find_review(connection, self._office.services.tenant, review_id) for review_id in chosen]

    def _count(self, table: str) -> int:
        return int(self._house.ask(f"SELECT count(*) FROM {table}")[0][0])


def check(house: House, office: Office) -> None:
    """What must be true at any time: one effect each, nothing expired booked, each step once, nothing lies about."""
    assert office.sweep() == Swept()
    assert office.services.journal.verify(office.services.tenant).fault == ""
    fitting = {("approve", "booked"), ("edit", "booked"), ("reject", "rejected")}
    ends = house.ask(
        "SELECT DISTINCT d.kind, i.status FROM reviews r JOIN decisions d ON d.decision_id = r.decision_id"
        " JOIN invoices i ON i.invoice_id = r.subject WHERE r.status = 'applied'"
    )
    assert set(ends) <= fitting, ends
    held = house.ask(
        "SELECT DISTINCT i.status, (SELECT count(*) FROM bookings b WHERE b.invoice_id = i.invoice_id) FROM reviews r"
        " JOIN invoices i ON i.invoice_id = r.subject WHERE r.status = 'expired'"
    )
    assert set(held) <= {("held", 0)}, held
    twice = house.ask("SELECT subject FROM audit_log WHERE event = 'decided' GROUP BY subject HAVING count(*) > 1")
    assert twice == [], twice
    booked = house.ask("SELECT invoice_id FROM bookings GROUP BY invoice_id HAVING count(*) > 1")
    assert booked == [], booked
    again = house.ask(
        "SELECT review_id, kind, recipient, json_extract(facts, '$.turn'), count(*) FROM notices"
        " WHERE kind LIKE 'escalated%' GROUP BY review_id, kind, recipient, notice_id HAVING count(*) > 1"
    )
    assert again == [], again
    _check_threads(house, office)


def _check_threads(house: House, office: Office) -> None:
    """All that is open waits in its thread, nothing is a ghost, and the file holds little else."""
    opened = [thread for (thread,) in house.ask("SELECT thread_id FROM reviews WHERE status = 'open'")]
    states = office.saver.thread_states(opened)
    assert set(states.values()) <= {ThreadState.WAITS}, states
    threads = [thread for (thread,) in house.ask("SELECT thread_id FROM threads")]
    assert ThreadState.GHOST not in office.saver.thread_states(threads).values()
    pruned = prune_closed(office, days=7)
    waits = house.ask("SELECT count(*) FROM reviews WHERE status <> 'applied'")[0][0]
    closed = len(threads) * 12_000
    assert pruned.bytes_after < _REST + closed + waits * _EACH_WAITS, (pruned, waits, len(threads))


def _correction(review: Review) -> dict[str, str] | None:
    findings = review.question["evidence"]["findings"]
    known = [one["value"] for finding in findings for one in finding["candidates"] if one["known"]]
    return {"seller_tax_id": known[0]} if known else None


def _rest_of(papers: Papers) -> tuple[Path, str, tuple[str, ...]]:
    return papers.policy, papers.company_id, papers.sellers


@contextmanager
def open_years(root: Path, seed: int) -> Iterator[Years]:
    """An office at the begin of its years."""
    house = build_house(root / "years", clean=0, doubtful=(), seed=seed)
    policy = house.papers.policy
    policy.write_text(policy.read_text("utf-8") + _APPROVAL, "utf-8")
    clock = Moved()
    services = open_services(house.settings, clock)
    with open_saver(house.settings.checkpoints) as saver:
        yield Years(house, Office(house.settings, services, saver), clock, random.Random(seed))
    services.engine.dispose()


def run_years(root: Path, years: float, seed: int) -> None:
    """For a process of its own: live, and print what happened."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with open_years(root, seed) as office:
        print(office.run(round(years * _WEEKS_A_YEAR)), flush=True)
