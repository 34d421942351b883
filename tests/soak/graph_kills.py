"""Kills over the real graph: a batch is audited and decided in all four ways, life after life, until all is done."""

import logging
import random
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from foundation.database import reading
from oversight.action import DecisionKind
from oversight.reviews import ReviewStatus, find_review
from remembrancer.office import Office, Swept
from tests.soak.forks import Reaper
from tests.support.house import House, assert_whole, build_house
from tests.support.papers import Doubt

_CLEAN = 3
_DOUBTFUL: tuple[Doubt, ...] = ("over_limit", "broken_id", "over_limit", "broken_id")
_PLAN: dict[Doubt, tuple[DecisionKind, ...]] = {"over_limit": ("approve", "respond"), "broken_id": ("edit", "reject")}
_RULE = {"over_limit": "amount_limit", "broken_id": "seller_tax_id"}
Plans = dict[Doubt, list[DecisionKind]]
_REASON = "verified by phone"


@dataclass(frozen=True)
class Tally:
    """What a run of kills came to."""

    kills: int
    at_steps: int
    """Of the kills, those at a durable step; the others at random moments."""
    lives: int
    rounds: int
    """Batches audited and decided to their ends, each checked."""
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.at_steps} at durable steps) in {self.lives} lives, {self.rounds} rounds,"
            f" {self.seconds:.0f} s"
        )


def kill_the_graph(root: Path, kills: int, seed: int, *, loose: bool = False) -> Tally:
    """Kill until so many kills have hit; each batch is checked when it is done.

    `loose` takes the sweep away: lives no longer drive on what a crash left.
    """
    reaper, rounds, begun = Reaper(random.Random(seed)), 0, time.monotonic()
    template = build_house(root / "template", clean=_CLEAN, doubtful=_DOUBTFUL, seed=seed)
    template.services.engine.dispose()
    compiled = _compiled(template.copy(root / "warm"))
    while reaper.hits < kills:
        rounds += 1
        house = template.copy(root / f"round-{rounds}")
        plans = {doubt: reaper.chance.sample(kinds, len(kinds)) for doubt, kinds in _PLAN.items()}
        _open_before(house, compiled)
        _live_until_done(house, plans, reaper, loose=loose)
        _check(house)
        _forget(house)
        if rounds % 50 == 0:
            print(f"{reaper.hits} kills, {rounds} rounds, {time.monotonic() - begun:.0f} s", flush=True)
    return Tally(reaper.hits, reaper.at_steps, reaper.lives, rounds, time.monotonic() - begun)


def _live_until_done(house: House, plans: Plans, reaper: Reaper, *, loose: bool) -> None:
    seen_twice = reaper.chance.random() < 0.25

    def life() -> None:
        with house.office(sweep=not loose) as office:
            if seen_twice and not loose:
                assert office.sweep() == Swept(), "one sweep was not enough"
            _work(house, office, plans)

    while reaper.run(life):
        pass


def _work(house: House, office: Office, plans: Plans) -> None:
    office.audit(house.start(), name="one")
    for review_id, kinds in _due(office, plans):
        for kind in kinds:
            _decide(office, review_id, kind)


def _compiled(house: House) -> Any:
    """The statements of a whole life, compiled: a forked life that had to compile them would live for that alone."""
    with house.office() as office:
        _work(house, office, {doubt: list(kinds) for doubt, kinds in _PLAN.items()})
    compiled = house.services.engine._compiled_cache  # type: ignore[attr-defined]
    _forget(house)
    return compiled


def _open_before(house: House, compiled: Any) -> None:
    """Open the services in the forking process, and let go of the database before any life begins."""
    engine = house.services.engine
    engine._compiled_cache = compiled  # type: ignore[attr-defined]
    engine.dispose()


def _due(office: Office, plans: Plans) -> list[tuple[str, tuple[DecisionKind, ...]]]:
    """The open reviews with what is to be decided on each; what was answered in an earlier life is left out."""
    with reading(office.services.engine) as connection:
        rows = connection.exec_driver_sql(
            "SELECT review_id, status, (SELECT count(*) FROM decisions d WHERE d.review_id = r.review_id"
            " AND d.kind = 'respond') FROM reviews r ORDER BY review_id"
        ).all()
        questions = {row[0]: find_review(connection, office.services.tenant, row[0]).question for row in rows}
    counts = dict.fromkeys(_PLAN, 0)
    due: list[tuple[str, tuple[DecisionKind, ...]]] = []
    for review_id, status, asked in rows:
        doubt = _doubt(questions[review_id])
        kind = plans[doubt][counts[doubt]]
        counts[doubt] += 1
        if status == ReviewStatus.OPEN:
            due.append((review_id, _steps(kind, bool(asked))))
    return due


def _steps(kind: DecisionKind, asked: bool) -> tuple[DecisionKind, ...]:
    if kind != "respond":
        return (kind,)
    return ("approve",) if asked else ("respond", "approve")


def _doubt(question: Any) -> Doubt:
    rules = {finding["rule"] for finding in question["evidence"]["findings"]}
    return "broken_id" if _RULE["broken_id"] in rules else "over_limit"


def _decide(office: Office, review_id: str, kind: DecisionKind) -> None:
    edits = _correction(office, review_id) if kind == "edit" else None
    office.decide(review_id, kind, by="lin", reason=_REASON, edits=edits)


def _correction(office: Office, review_id: str) -> dict[str, str]:
    with reading(office.services.engine) as connection:
        findings = find_review(connection, office.services.tenant, review_id).question["evidence"]["findings"]
    known = [one["value"] for finding in findings for one in finding["candidates"] if one["known"]]
    return {"seller_tax_id": known[0]}


def _check(house: House) -> None:
    assert house.statuses() == {"booked": _CLEAN + 3, "rejected": 1}, house.statuses()
    assert house.bookings() == _CLEAN + 3
    assert house.log_lines("decided") == len(_DOUBTFUL), "a decision took effect twice, or not at all"
    kinds = house.ask("SELECT kind FROM decisions d JOIN reviews r ON r.decision_id = d.decision_id ORDER BY kind")
    assert [kind for (kind,) in kinds] == ["approve", "approve", "edit", "reject"]
    assert_whole(house)


def _forget(house: House) -> None:
    house.close()
    shutil.rmtree(house.root)


def run_graph_kills(root: Path, kills: int, seed: int, loose: bool = False) -> None:
    """For a process of its own: kill, and print the figures."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    print(kill_the_graph(root, kills, seed, loose=loose), flush=True)
