"""A batch that waits for a person goes on in another process, from exactly there."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from foundation.errors import NotFoundError, RefusedError, ThreadPausedError
from tests.support.house import THREAD, House, assert_booked_once, assert_log_whole, assert_whole
from tests.support.processes import KILLED, run_cli, start
from tests.support.scripts import answer, answer_later, begin, wait_for_an_answer

_MALFORMED: tuple[Any, ...] = (
    {"decisions": [{"type": "approve"}, {"type": "approve"}]},
    {"decisions": 7},
    "perhaps",
    {"type": "reject"},
    {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"colour": "red"}}},
)
_GOOD: dict[str, tuple[Any, dict[str, int]]] = {
    "approve": ({"decisions": [{"type": "approve", "message": "special business"}]}, {"booked": 50}),
    "reject": ({"decisions": [{"type": "reject", "message": "forged"}]}, {"booked": 49, "rejected": 1}),
}


@pytest.fixture
def fifty(make_house: Callable[..., House]) -> House:
    """Forty-nine clean invoices and one with a digit of the seller's tax id lost, audited until it asks."""
    house = make_house(clean=49, doubtful=("broken_id",))
    with house.graph() as (graph, _):
        result = graph.invoke(house.start(), THREAD)
    assert len(result["__interrupt__"]) == 1
    return house


def _state(house: House) -> tuple[Any, ...]:
    """All that a refused call must leave as it was."""
    return (
        house.ask("SELECT * FROM invoices ORDER BY invoice_id"),
        house.ask("SELECT * FROM bookings ORDER BY booking_id"),
        house.ask("SELECT * FROM reviews ORDER BY review_id"),
        house.ask("SELECT * FROM decisions"),
        house.ask_checkpoints("SELECT * FROM checkpoints ORDER BY checkpoint_id"),
        house.ask_checkpoints("SELECT * FROM writes ORDER BY checkpoint_id, task_id, idx"),
    )


def _in_new_process(house: House, *answers: Any) -> dict[str, Any]:
    done = start(house, answer, *answers).wait()
    assert done.code == 0, done.err
    return dict(json.loads(done.out))


@pytest.mark.parametrize("kind", _GOOD)
def test_a_new_process_goes_on_from_the_fiftieth_invoice(fifty: House, kind: str) -> None:
    good, counts = _GOOD[kind]
    examined = fifty.ask("SELECT invoice_id, examined_at FROM invoices ORDER BY invoice_id")
    booked = fifty.ask("SELECT booking_id, booked_at FROM bookings ORDER BY booking_id")
    assert len(booked) == 49
    result = _in_new_process(fifty, good)
    assert result["counts"] == counts
    assert fifty.ask("SELECT invoice_id, examined_at FROM invoices ORDER BY invoice_id") == examined
    assert set(booked) <= set(fifty.ask("SELECT booking_id, booked_at FROM bookings"))
    assert_booked_once(fifty)
    assert_log_whole(fifty)


@pytest.mark.parametrize("kind", _GOOD)
def test_seed_26_killed_while_it_waits_it_goes_on_in_another_process_a_week_later(
    make_house: Callable[..., House], kind: str
) -> None:
    house = make_house(clean=2, doubtful=("over_limit",))
    waiting = start(house, wait_for_an_answer, house.start())
    waiting.wait_for_lines(1)
    waiting.kill()
    assert waiting.wait().code == KILLED
    done = start(house, answer_later, 7, _GOOD[kind][0]).wait()
    assert done.code == 0, done.err
    assert json.loads(done.out) == ({"booked": 3} if kind == "approve" else {"booked": 2, "rejected": 1})
    ((opened, decided),) = house.ask("SELECT opened_at, decided_at FROM reviews")
    assert (datetime.fromisoformat(decided) - datetime.fromisoformat(opened)).days == 7
    assert_whole(house)


def test_an_edit_in_a_new_process_books_what_was_corrected(fifty: House) -> None:
    (question,) = fifty.ask("SELECT question FROM reviews")
    evidence = json.loads(question[0])["evidence"]
    candidates = [c["value"] for finding in evidence["findings"] for c in finding["candidates"] if c["known"]]
    edit = {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"seller_tax_id": candidates[0]}}}
    result = _in_new_process(fifty, {"decisions": [edit]})
    assert result["counts"] == {"booked": 50}
    assert fifty.ask("SELECT kind FROM bookings WHERE decision_id IS NOT NULL") == [("corrected",)]
    assert_booked_once(fifty)
    assert_log_whole(fifty)


@pytest.mark.parametrize("kind", _GOOD)
def test_five_malformed_answers_never_win_over_the_good_one(fifty: House, kind: str) -> None:
    good, counts = _GOOD[kind]
    result = _in_new_process(fifty, *_MALFORMED, good)
    assert [len(questions) for questions in result["questions"]] == [1, 1, 1, 1, 1, 0]
    assert all(questions[0]["refused"] for questions in result["questions"][:5])
    assert result["counts"] == counts
    assert_booked_once(fifty)
    assert_log_whole(fifty)


def test_new_input_on_a_paused_thread_is_refused_and_changes_nothing(fifty: House) -> None:
    before = _state(fifty)
    done = start(fifty, begin, fifty.start(batch="another")).wait()
    assert done.out.startswith("ThreadPausedError thread september waits for a person's decision")
    with fifty.graph() as (graph, _), pytest.raises(ThreadPausedError):
        graph.invoke(fifty.start(), THREAD)
    assert _state(fifty) == before


def test_running_a_paused_thread_without_an_answer_changes_nothing(fifty: House) -> None:
    before = _state(fifty)
    with fifty.graph() as (graph, _):
        again = graph.invoke(None, THREAD)
    assert len(again["__interrupt__"]) == 1
    assert _state(fifty) == before


def test_deciding_an_unknown_review_is_not_found(fifty: House) -> None:
    before = _state(fifty)
    with fifty.office() as office, pytest.raises(NotFoundError, match="there is no review rev_none"):
        office.decide("rev_none", "approve", by="lin")
    assert _state(fifty) == before


def test_deciding_a_finished_review_is_refused_and_runs_nothing(fifty: House) -> None:
    ((review_id,),) = fifty.ask("SELECT review_id FROM reviews")
    with fifty.office() as office:
        office.decide(review_id, "approve", by="lin", reason="verified")
        before = _state(fifty)
        with pytest.raises(RefusedError, match="already decided: approve by lin"):
            office.decide(review_id, "reject", by="wu", reason="forged")
    assert _state(fifty) == before


def test_the_command_line_says_who_decided_and_fails_with_one_line(fifty: House) -> None:
    ((review_id,),) = fifty.ask("SELECT review_id FROM reviews")
    assert run_cli(fifty, "decide", review_id, "approve", "--by", "lin").code == 0
    late = run_cli(fifty, "decide", review_id, "reject", "--reason", "forged", "--by", "wu")
    assert late.code == 1
    assert late.err.startswith(f"remembrancer: {review_id} was already decided: approve by lin at ")
    assert late.err.count("\n") == 1
