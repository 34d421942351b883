"""Degrees of oversight: who stands before, beside or outside the loop, and that a brake stops what can't be undone."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from langgraph.types import Command

from foundation.database import reading
from foundation.errors import PolicyError, UsageError
from invoices.policy import load_policy
from oversight.brake import pull, release
from oversight.feed import since
from oversight.limits import change
from oversight.sampling import is_drawn
from remembrancer.reports import gather
from tests.support.house import (
    THREAD,
    House,
    assert_booked_once,
    assert_log_whole,
    assert_nothing_lies_about,
    assert_whole,
)
from tests.support.processes import run_cli

MakeHouse = Callable[..., House]


def _oversight(**settings: str) -> str:
    """The policy's section; budgets that stand under [limits] come first."""
    lines = [f'{name} = "{value}"' for name, value in settings.items() if name == "batch_budget"]
    lines += ["[oversight]"]
    plain = {"batch_count", "failures_from", "at_once", "sample_one_in"}
    for name, value in settings.items():
        if name != "batch_budget":
            lines.append(f"{name} = {value}" if name in plain else f'{name} = "{value}"')
    return "\n".join(lines)


def _audit(house: House, name: str = "one", **more: Any) -> None:
    with house.office() as office:
        office.audit(house.start(**more), name=name)


def _pull(house: House, batch: str = "", by: str = "wang") -> None:
    with house.services.journal.transaction() as transaction:
        pull(transaction, "default", batch=batch, by=by, why="look first")


def _release(house: House, batch: str = "") -> None:
    with house.services.journal.transaction() as transaction:
        release(transaction, "default", batch=batch, by="wang", why="fine")


def _kinds(house: House) -> list[str]:
    with reading(house.services.engine) as connection:
        return [event.kind for event in since(connection, "default", 0)]


def _batch_id(house: House) -> str:
    ((batch_id,),) = house.ask("SELECT batch_id FROM batches")
    return str(batch_id)


# HOTL


def test_hotl_books_on_past_a_doubtful_invoice_and_shows_each_booking_as_it_happens(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=("over_limit",), limits=_oversight(degree="hotl"))
    _audit(house)
    assert house.statuses() == {"booked": 3, "waiting": 1}
    assert _kinds(house).count("booked") == 3
    assert "waits" in _kinds(house)
    assert_whole(house)


def test_the_graph_runs_hotl_by_option_and_by_configuration_without_stopping_for_a_doubtful_one(
    make_house: MakeHouse,
) -> None:
    for number, given in enumerate(({"oversight": "hotl"}, {})):
        house = make_house(clean=2, doubtful=("broken_id",))
        config = {"configurable": {"thread_id": f"t{number}", **({} if given else {"oversight": "hotl"})}}
        with house.graph() as (graph, _):
            ended = graph.invoke(house.start(**given), config)
        assert "__interrupt__" not in ended
        assert house.statuses() == {"booked": 2, "waiting": 1}


def test_case_25_the_manager_watches_raises_a_limit_brakes_at_invoice_thirty_and_releases(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=34, doubtful=(), limits=_oversight(degree="hotl", batch_count="20", at_once="1"))
    seen: set[int] = set()

    def watch(files: int, total: int) -> None:
        assert (total, files <= total) == (34, True)
        booked = house.bookings()
        if booked == 15 and booked not in seen:
            raised = run_cli(house, "limits", "set", "batch_count", "50", "--batch", "one", "--by", "wang")
            assert (raised.code, raised.out.strip()) == (0, "batch_count: 20 → 50")
        if booked == 30 and booked not in seen:
            assert run_cli(house, "brake", "on", "--batch", "one", "--by", "wang", "--reason", "look").code == 0
        seen.add(booked)

    with house.office() as office:
        batch = office.audit(house.start(), name="one", progress=watch)
    assert batch.finished_at is None
    assert house.statuses()["booked"] == 30
    released = run_cli(house, "brake", "off", "--batch", "one", "--by", "wang", "--reason", "checked")
    assert (released.code, house.statuses()) == (0, {"booked": 34})
    report = json.loads(run_cli(house, "report", "one", "--format", "json", "-o", "-").out)["totals"]["oversight"]
    assert [(brake["pulled_by"], brake["why"], brake["released_by"]) for brake in report["brakes"]] == [
        ("wang", "look", "wang")
    ]
    assert [(one["name"], one["value"], one["set_by"]) for one in report["limits"]] == [("batch_count", "50", "wang")]
    assert (report["degree"], report["booked"]) == ("hotl", 34)
    assert_whole(house)


def test_a_breached_limit_pulls_the_brake_by_itself_and_a_raised_one_lets_the_run_go_on(make_house: MakeHouse) -> None:
    house = make_house(clean=12, doubtful=(), limits=_oversight(degree="hotl", batch_count="5"))
    audited = run_cli(house, "audit", str(house.papers.folder), "--batch", "one")
    assert audited.code == 3
    assert "its limit is 5" in audited.out
    assert house.statuses() == {"booked": 5, "clean": 5}
    assert house.ask("SELECT pulled_by, automatic FROM brakes") == [("agent", 1)]
    released = run_cli(house, "brake", "off", "--batch", "one", "--by", "wang")
    assert released.code == 3, "the limit is breached as before: the brake is pulled once more"
    assert house.bookings() == 5
    run_cli(house, "limits", "set", "batch_count", "100", "--batch", "one", "--by", "wang")
    assert run_cli(house, "brake", "off", "--batch", "one", "--by", "wang").code == 0
    assert house.statuses() == {"booked": 12}
    assert_whole(house)


def test_hotl_money_is_a_limit_of_the_run_and_no_reason_to_ask_about_one_invoice(make_house: MakeHouse) -> None:
    house = make_house(clean=4, doubtful=(), limits=_oversight(degree="hotl", batch_budget="0.01"))
    _audit(house)
    assert house.statuses() == {"clean": 4}
    assert house.ask("SELECT automatic FROM brakes") == [(1,)]


# The brake


@pytest.mark.parametrize("degree", ["hitl", "hotl", "hootl"])
def test_nothing_is_booked_while_braked_in_any_degree(make_house: MakeHouse, degree: str) -> None:
    house = make_house(clean=3, doubtful=("over_limit",), limits=_oversight(degree=degree))
    _pull(house)
    _audit(house)
    assert house.bookings() == 0
    assert house.statuses().get("clean") == 3
    with house.office(sweep=True) as office:
        assert office.go_on() == 0
    assert house.bookings() == 0
    _release(house)
    with house.office() as office:
        assert office.go_on() == 1
    assert house.bookings() == 3
    assert_whole(house)


def test_an_approval_under_the_brake_stands_and_books_only_after_the_release(house: House) -> None:
    _audit(house)
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    _pull(house)
    with house.office() as office:
        settled = office.decide(review_id, "approve", by="wang", reason="special business")
        assert (settled.status, settled.review.status) == ("waiting", "decided")
        assert office.sweep().decisions == 0
    assert house.bookings() == 3
    _release(house)
    with house.office() as office:
        office.sweep()
    assert house.bookings() == 4
    assert house.ask("SELECT decided_by, taken FROM decisions") == [("wang", 1)]
    assert_whole(house)


def test_a_rejection_needs_no_released_brake(house: House) -> None:
    _audit(house)
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    _pull(house)
    with house.office() as office:
        assert office.decide(review_id, "reject", by="wang", reason="forged").status == "rejected"


def test_a_braked_graph_waits_like_any_question_and_its_answer_releases_the_brake(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=())
    _pull(house)
    with house.graph() as (graph, _):
        (asked,) = graph.invoke(house.start(), THREAD)["__interrupt__"]
        assert asked.value["action_requests"][0]["name"] == "release_brake"
        assert "wang pulled the brake: look first" in asked.value["triggers"][0]["message"]["en"]
        (again,) = graph.invoke(Command(resume="perhaps"), THREAD)["__interrupt__"]
        assert "is no decision" in again.value["refused"]
        assert house.bookings() == 0
        assert graph.invoke(Command(resume="approve: looked at it"), THREAD)["counts"] == {"booked": 3}
    ((released_by, why),) = house.ask("SELECT released_by, released_why FROM brakes")
    assert (released_by, why) == (house.services.account, "looked at it")
    assert_whole(house)


def test_a_person_at_the_brake_may_end_the_run_and_what_was_left_is_held(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=())
    _pull(house)
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        ended = graph.invoke(Command(resume="reject: wrong folder"), THREAD)
    assert ended["counts"] == {"held": 3}
    assert "ended the run: wrong folder" in ended["ended"]
    _release(house)
    with house.office(sweep=True) as office:
        office.go_on()
    assert house.bookings() == 0


def test_a_stale_release_does_not_release_a_brake_that_was_pulled_again(make_house: MakeHouse) -> None:
    from remembrancer.threads import RELEASED

    house = make_house(clean=3, doubtful=())
    _pull(house)
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        _release(house)
        _pull(house, by="li")
        assert "__interrupt__" in graph.invoke(Command(resume=RELEASED), THREAD)
    assert house.bookings() == 0
    assert house.ask("SELECT pulled_by FROM brakes WHERE released_at IS NULL") == [("li",)]


def test_the_same_audit_command_goes_on_once_the_brake_is_released(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=())
    _pull(house)
    audit = ("audit", str(house.papers.folder), "--batch", "one")
    assert run_cli(house, *audit).code == 3
    assert run_cli(house, *audit).code == 3
    _release(house)
    assert run_cli(house, *audit).code == 0
    assert house.statuses() == {"booked": 3}
    assert_whole(house)


# HOOTL


def test_case_25_a_loss_limit_set_beforehand_stops_a_run_that_asks_nobody(make_house: MakeHouse) -> None:
    limits = _oversight(degree="hootl", loss="1.00")
    house = make_house(clean=55, doubtful=("broken_id",) * 5, limits=limits)
    (house.papers.folder / "00000-forged.xml").write_bytes((house.papers.folder / "doubtful-000.xml").read_bytes())
    audited = run_cli(house, "audit", str(house.papers.folder), "--batch", "one", "--json")
    assert audited.code == 1
    told = json.loads(audited.out)
    assert "the loss limit is 1.00" in told["totals"]["oversight"]["ended"]
    assert house.bookings() == 0
    assert set(house.statuses()) == {"held"}
    assert house.ask("SELECT count(*) FROM reviews") == [(0,)]
    assert "run_ended" in _kinds(house)
    assert house.ask("SELECT finished_at IS NOT NULL FROM batches") == [(1,)]
    assert run_cli(house, "audit", str(house.papers.folder), "--batch", "one").code == 1
    assert house.bookings() == 0


def test_what_hits_a_trigger_without_anybody_to_ask_is_held_and_never_booked(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=("over_limit", "broken_id"))
    told = json.loads(run_cli(house, "audit", str(house.papers.folder), "--oversight", "hootl", "--json").out)
    assert told["totals"]["by_status"] == {"booked": 3, "held": 2}
    with house.office(sweep=True) as office:
        office.go_on()
        office.open_reviews()
    assert house.statuses() == {"booked": 3, "held": 2}
    assert house.ask("SELECT count(*) FROM reviews") == [(0,)]
    assert_whole(house)


def test_a_budget_set_beforehand_books_up_to_it_and_ends_the_run(make_house: MakeHouse) -> None:
    house = make_house(clean=8, doubtful=(), limits=_oversight(degree="hootl", batch_count="5"))
    _audit(house)
    assert house.statuses() == {"booked": 5, "held": 3}
    assert_whole(house)


def test_a_failure_rate_over_its_limit_ends_the_run(make_house: MakeHouse) -> None:
    limits = _oversight(degree="hootl", failure_rate="0.3", failures_from="10")
    house = make_house(clean=6, doubtful=("broken_id",) * 4, limits=limits)
    _audit(house)
    assert house.bookings() == 0
    assert "failed; the limit is 30.0%" in house.ask("SELECT ended_why FROM runs")[0][0]


def test_what_was_held_waits_like_any_other_once_a_person_takes_it_up(make_house: MakeHouse) -> None:
    limits = _oversight(degree="hootl", batch_count="2")
    house = make_house(clean=3, doubtful=("over_limit",), limits=limits)
    _audit(house)
    assert house.statuses() == {"booked": 2, "held": 2}
    assert run_cli(house, "held", "one", "--by", "wang", "--reason", " ").code == 2
    assert run_cli(house, "held", "one", "--by", "wang", "--reason", "looked through").code == 0
    assert house.statuses() == {"booked": 2, "waiting": 2}
    assert house.log_lines("held taken up") == 1
    with house.office() as office:
        for (review_id,) in house.ask("SELECT review_id FROM reviews"):
            assert office.decide(review_id, "approve", by="wang", reason="in order").status == "booked"
    assert run_cli(house, "held", "one", "--by", "wang", "--reason", "again").code == 1
    assert_whole(house)


# Shadow


def test_shadow_books_nothing_asks_nobody_and_leaves_the_real_audit_as_it_was(make_house: MakeHouse) -> None:
    house = make_house(clean=3, doubtful=("over_limit",))
    shadow = run_cli(house, "audit", str(house.papers.folder), "--batch", "trial", "--oversight", "shadow", "--json")
    told = json.loads(shadow.out)
    assert (shadow.code, told["totals"]["by_status"]) == (0, {"held": 4})
    assert sorted(one["advice"] for one in told["invoices"]) == ["would ask", "would book", "would book", "would book"]
    assert _kinds(house).count("would_ask") == 1
    assert house.ask("SELECT (SELECT count(*) FROM bookings) + (SELECT count(*) FROM reviews)") == [(0,)]
    assert run_cli(house, "audit", str(house.papers.folder), "--batch", "real").code == 3
    assert house.ask("SELECT status, count(*) FROM invoices WHERE batch_id IN"
                     " (SELECT batch_id FROM batches WHERE name = 'real') GROUP BY status") == [
        ("booked", 3), ("waiting", 1),
    ]  # fmt: skip
    assert_whole(house)


# Samples


def test_one_in_n_of_what_passed_is_put_before_a_person_the_same_ones_every_time(make_house: MakeHouse) -> None:
    house = make_house(clean=40, doubtful=(), limits=_oversight(sample_one_in="4", seed="ours"))
    _audit(house)
    drawn = {row[0] for row in house.ask("SELECT subject FROM samples")}
    seed = f"ours:{_batch_id(house)}"
    every = [row[0] for row in house.ask("SELECT invoice_id FROM invoices")]
    assert drawn == {invoice for invoice in every if is_drawn(invoice, seed, 4)}
    assert 2 <= len(drawn) <= 20
    assert house.bookings() == 40
    assert {row[0] for row in house.ask("SELECT subject FROM reviews WHERE action = 'check_booking'")} == drawn
    assert_whole(house)


def test_the_command_line_has_one_in_so_many_checked_whatever_the_policy_says(make_house: MakeHouse) -> None:
    house = make_house(clean=2, doubtful=())
    assert run_cli(house, "audit", str(house.papers.folder), "--sample", "1").code == 0
    assert house.ask("SELECT count(*) FROM samples") == [(2,)]
    assert run_cli(house, "audit", str(house.papers.folder), "--sample", "-1").code == 2


def test_a_sample_that_a_person_refuses_is_reversed_and_one_he_approves_stands(make_house: MakeHouse) -> None:
    house = make_house(clean=2, doubtful=(), limits=_oversight(sample_one_in="1"))
    _audit(house)
    first, second = [row[0] for row in house.ask("SELECT review_id FROM reviews ORDER BY review_id")]
    with house.office() as office:
        assert office.decide(first, "approve", by="wang", reason="in order").status == "booked"
        assert office.decide(second, "reject", by="wang", reason="a private meal").status == "reversed"
    assert house.statuses() == {"booked": 1, "reversed": 1}
    assert house.ask("SELECT count(*) FROM samples WHERE settled") == [(2,)]
    report = gather(house.services, "one")
    assert report.watched.run.tally.loss > Decimal(0)
    assert_nothing_lies_about(house)
    assert_booked_once(house)


def test_a_graph_that_asks_here_asks_about_its_samples_in_its_own_thread(make_house: MakeHouse) -> None:
    house = make_house(clean=1, doubtful=(), limits=_oversight(sample_one_in="1"))
    with house.graph() as (graph, _):
        (asked,) = graph.invoke(house.start(), THREAD)["__interrupt__"]
        assert asked.value["evidence"]["sample"] == {"one_in": 1}
        assert asked.value["review_configs"][0]["allowed_decisions"] == ["approve", "reject", "respond"]
        assert graph.invoke(Command(resume="approve"), THREAD)["counts"] == {"booked": 1}


def test_the_draw_takes_one_in_n_and_hangs_on_the_seed() -> None:
    ids = [f"inv_{number}" for number in range(20_000)]
    for one_in in (1, 2, 20, 100):
        share = sum(is_drawn(one, "a", one_in) for one in ids) / len(ids)
        assert abs(share - 1 / one_in) < 0.01
    assert [is_drawn(one, "a", 10) for one in ids] != [is_drawn(one, "b", 10) for one in ids]


# Settings


@pytest.mark.parametrize(
    ("section", "line", "says"),
    [
        ('[oversight]\ndegree = "hovl"', 9, "oversight.degree"),
        ('[oversight]\ndegree = "hotl"\nfailure_rate = "1.5"', 10, "oversight.failure_rate"),
        ("[oversight]\nsample_one_in = 0", 9, "oversight.sample_one_in"),
        ("[oversight]\nloss = 5.5", 9, "write amounts in quotes"),
        ('[oversight]\ndegre = "hotl"', 9, "oversight.degre"),
    ],
)
def test_a_wrong_oversight_section_is_refused_with_its_line(
    make_house: MakeHouse, section: str, line: int, says: str
) -> None:
    house = make_house(clean=0, doubtful=(), limits=section)
    with pytest.raises(PolicyError) as refused:
        load_policy(house.papers.policy)
    assert f"policy.toml:{line}: " in str(refused.value)
    assert says in str(refused.value)


def test_an_unknown_degree_is_refused_by_the_graph(house: House) -> None:
    with house.graph() as (graph, _), pytest.raises(UsageError, match="no degree of oversight"):
        graph.invoke(house.start(oversight="yolo"), THREAD)


@pytest.mark.parametrize(
    ("name", "value"),
    [("amount", "0"), ("amount", "many"), ("failure_rate", "1.2"), ("batch_count", "2.5"), ("no such limit", "1")],
)
def test_a_limit_that_cannot_be_is_refused(house: House, name: str, value: str) -> None:
    with house.services.journal.transaction() as transaction, pytest.raises(UsageError):
        change(transaction, "default", name, value, by="wang")


def test_a_lowered_amount_limit_asks_from_the_next_step_on(house: House) -> None:
    run_cli(house, "limits", "set", "amount", "0.01", "--by", "wang", "--reason", "new rules")
    _audit(house)
    assert house.statuses() == {"waiting": 4}
    assert_log_whole(house)
