"""The checkpoint file over many runs: bounded, prunable, and what waits resumes after a pruning."""

import json
from collections.abc import Callable

from langgraph.types import Command

from graphs.invoice_review import build_invoice_review
from oversight.checkpoints import ThreadState, open_saver
from remembrancer.retention import prune_closed
from tests.support.ghosts import AFTER_ASK, APPROVE, REJECT, answer_and_cut
from tests.support.house import House, assert_whole
from tests.support.processes import run_cli

MakeHouse = Callable[..., House]

_RUNS, _INVOICES = 20, 50
_LARGEST = 12_000_000
"""Bytes that the checkpoints of so many runs may take before they are pruned."""
_PRUNED = 3_000_000
"""And afterwards."""


def _bytes(house: House) -> int:
    return sum(file.stat().st_size for file in house.settings.home.glob("checkpoints.db*"))


def _waiting(house: House) -> list[tuple[str, str]]:
    rows = house.ask("SELECT review_id, thread_id FROM reviews WHERE status = 'open' ORDER BY review_id")
    return [(str(review), str(thread)) for review, thread in rows]


def test_case_27_twenty_runs_of_fifty_invoices_stay_small_and_what_waits_resumes_after_a_pruning(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=_INVOICES - 2, doubtful=("over_limit", "broken_id"))
    with house.office() as office:
        for run in range(_RUNS):
            office.audit(house.start(), name=f"run-{run}")
        (decided, _), (kept, _) = _waiting(house)
        office.decide(decided, "approve", by="lin", reason="verified")
        assert _bytes(house) < _LARGEST
        pruned = prune_closed(office, days=0)
        assert pruned.threads > _RUNS
        assert (pruned.bytes_after, _bytes(house) < _PRUNED) == (_bytes(house), True)
        assert prune_closed(office, days=0).checkpoints == 0
        office.decide(kept, "reject", by="lin", reason="forged")
    assert house.statuses()["booked"] == _INVOICES - 1
    assert house.log_lines("decided") == 2
    assert_whole(house)


def test_a_paused_thread_and_a_ghost_keep_every_checkpoint(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 3)
    with house.office() as office:
        office.audit(house.start(), name="three")
    (_, paused), (_, ghost), (_, closed) = _waiting(house)
    answer_and_cut(house, ghost, APPROVE, AFTER_ASK)
    with open_saver(house.settings.checkpoints) as saver:
        graph = build_invoice_review(house.services, checkpointer=saver)
        graph.invoke(Command(resume=APPROVE), {"configurable": {"thread_id": closed}})

    def rows(thread: str) -> list[tuple[object, ...]]:
        return house.ask_checkpoints("SELECT * FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id", thread)

    before = {thread: rows(thread) for thread in (paused, ghost)}
    with house.office() as office:
        assert prune_closed(office, days=0).threads >= 1
        assert len(rows(closed)) == 1
        assert {thread: rows(thread) for thread in before} == before
        assert set(office.saver.thread_states([paused, ghost]).values()) == {ThreadState.WAITS, ThreadState.GHOST}
        office.sweep()
    with open_saver(house.settings.checkpoints) as saver:
        graph = build_invoice_review(house.services, checkpointer=saver)
        graph.invoke(Command(resume=REJECT), {"configurable": {"thread_id": paused}})
    assert house.statuses() == {"booked": 2, "rejected": 1}
    assert_whole(house)


def test_what_was_closed_of_late_is_kept(house: House) -> None:
    with house.office() as office:
        office.audit(house.start(), name="one")
        assert prune_closed(office, days=1).checkpoints == 0


def test_the_command_line_prunes_and_encrypts(house: House) -> None:
    run_cli(house, "audit", str(house.papers.folder), "--batch", "one")
    pruned = json.loads(run_cli(house, "checkpoints", "prune", "--older-than", "0", "--json").out)
    assert pruned["threads"] == 1
    assert pruned["checkpoints"] > 0
    assert pruned["bytes_after"] < pruned["bytes_before"]
    unset = run_cli(house, "checkpoints", "encrypt")
    assert (unset.code, "openssl rand -hex 32" in unset.err) == (2, True)
    keyed = house.with_environment(REMEMBRANCER_CHECKPOINT_KEY="0123456789abcdef" * 4)
    assert json.loads(run_cli(keyed, "checkpoints", "encrypt", "--json").out)["encrypted"] > 0
    ((review_id, _),) = _waiting(house)
    plain = run_cli(house, "decide", review_id, "approve", "--by", "lin")
    assert (plain.code, "encrypted" in plain.err) == (1, True)
    assert run_cli(keyed, "decide", review_id, "approve", "--by", "lin").code == 0
    assert house.statuses() == {"booked": 4}
