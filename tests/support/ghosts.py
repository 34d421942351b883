"""Making ghosts, and what one sweep must make of them."""

import json
from typing import Any

import pytest
from langgraph.types import Command

from graphs.invoice_audit import build_invoice_audit
from graphs.invoice_review import build_invoice_review
from oversight.checkpoints import ThreadState
from tests.support.house import THREAD, House, assert_whole
from tests.support.savers import PowerCutError, open_cut_saver

APPROVE = {"type": "approve", "message": "special business"}
REJECT = {"type": "reject", "message": "forged"}
AFTER_ASK, AFTER_JUDGE, AFTER_APPLY = 1, 2, 3


def make_ghost(house: House, cut_at: int = AFTER_ASK) -> None:
    """Audit until the question, answer "approve", and lose the checkpoint that follows a saved result."""
    services = house.services
    with open_cut_saver(house.settings.checkpoints) as saver:
        graph = build_invoice_audit(services, checkpointer=saver)
        graph.invoke(house.start(), THREAD)
        saver.cut_at(cut_at)
        with pytest.raises(PowerCutError):
            graph.invoke(Command(resume=APPROVE), THREAD)
    with house.office() as office:
        assert office.saver.thread_states(["september"]) == {"september": ThreadState.GHOST}


def sweep_and_check(house: House) -> None:
    """One sweep drives the ghost on, once."""
    with house.office() as office:
        office.sweep()
    assert house.statuses() == {"booked": 4}
    assert house.bookings() == 4
    assert_whole(house)


def answer_and_cut(house: House, thread_id: str, answer: Any, cut_at: int) -> None:
    """Answer a review in its own thread, and lose the checkpoint that follows a saved result."""
    with open_cut_saver(house.settings.checkpoints) as saver:
        graph = build_invoice_review(house.services, checkpointer=saver)
        saver.cut_at(cut_at)
        with pytest.raises(PowerCutError):
            graph.invoke(Command(resume=answer), {"configurable": {"thread_id": thread_id}})


def edit_two_to_one_number(house: House) -> None:
    """Two invoices are corrected to the same number, both judged while neither is booked; then both are applied."""
    with house.office() as office:
        office.audit(house.start(), name="two")
    reviews = house.ask("SELECT thread_id, question FROM reviews ORDER BY review_id")
    number = json.loads(reviews[0][1])["action_requests"][0]["args"]["number"]
    year_and_rest = f"{number[:4]}{'7' * 16}"
    edit = {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"number": year_and_rest}}}
    for thread_id, _ in reviews:
        answer_and_cut(house, thread_id, edit, AFTER_JUDGE)


def sweep_and_find_one_of_two(house: House) -> None:
    """The number is booked once; the other invoice is known as its duplicate."""
    with house.office() as office:
        office.sweep()
    assert house.bookings() == 1, "one number was booked twice"
    assert house.statuses() == {"booked": 1, "duplicate": 1}
    assert_whole(house)
