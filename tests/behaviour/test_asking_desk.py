"""The reviewers' desk: faults of approval queues seen in the field; each is shown not to happen here."""

import json
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from langgraph.types import Command

from foundation.database import reading
from foundation.errors import AlreadyDecidedError, ExpiredError, NotAllowedError, RefusedError, UsageError
from oversight.queue import QueueFilter
from oversight.reviews import ReviewStatus, find_review
from oversight.risk import Risk
from remembrancer import Memory, Message, Scope
from remembrancer.bulk import Outcome
from remembrancer.office import Office
from remembrancer.retention import prune_closed
from remembrancer.tending import expire_late, remind
from remembrancer.worker import Chore, Worker
from tests.support.desks import SetClock, add_people, log_of, notices_of, office_at, send_away, waiting
from tests.support.ghosts import AFTER_JUDGE, APPROVE, answer_and_cut
from tests.support.house import THREAD, House, assert_whole
from tests.support.plans import plans_of
from tests.support.processes import run_cli

MakeHouse = Callable[..., House]


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


def _waits(house: House, **start: Any) -> str:
    """The review of the one invoice that waits."""
    with house.office() as office:
        office.audit(house.start(**start), name="one")
    (review_id,) = waiting(house)
    return review_id


def _policy(house: House, added: str) -> None:
    """Add to the policy file."""
    text = house.papers.policy.read_text("utf-8")
    house.papers.policy.write_text(f"{text}\n{added}\n", "utf-8")


# What was approved


def _change_total(house: House) -> None:
    ((record,),) = house.ask("SELECT record FROM invoices WHERE status = 'waiting'")
    changed = json.loads(record)
    changed["fields"]["total"]["value"] = "999999.00"
    house.change("UPDATE invoices SET record = ? WHERE status = 'waiting'", json.dumps(changed))


def _change_file(house: House) -> None:
    file = house.papers.folder / "doubtful-000.xml"
    file.write_bytes(file.read_bytes() + b"\n")


def _tighten(house: House) -> None:
    _policy(house, '[approval]\nsecond_person_from = "1000.00"')


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_change_total, "has changed since"),
        (_change_file, "has changed since"),
        (_tighten, "the policy has become stricter"),
    ],
)
def test_case_q04_a_change_after_the_approval_voids_it_and_asks_again(
    house: House, change: Callable[[House], None], says: str
) -> None:
    _waits(house)
    ((review_id, thread_id),) = house.ask("SELECT review_id, thread_id FROM reviews")
    answer_and_cut(house, thread_id, APPROVE, AFTER_JUDGE)
    change(house)
    with house.office() as office:
        office.sweep()
        assert house.bookings() == 3
        ((status, question),) = house.ask("SELECT status, question FROM reviews")
        assert status == "open"
        assert says in json.loads(question)["refused"]
        assert len(log_of(house, "approval void")) == 1
        office.decide(review_id, "approve", by="lin")
        if change is _tighten:
            assert house.bookings() == 3
            office.decide(review_id, "approve", by="wu")
    assert house.bookings() == 4
    assert_whole(house)


def test_case_q04_a_looser_policy_and_a_file_that_was_moved_away_void_nothing(house: House) -> None:
    _waits(house)
    ((_, thread_id),) = house.ask("SELECT review_id, thread_id FROM reviews")
    answer_and_cut(house, thread_id, APPROVE, AFTER_JUDGE)
    text = house.papers.policy.read_text("utf-8")
    house.papers.policy.write_text(text.replace('"100000.00"', '"90000000.00"'), "utf-8")
    (house.papers.folder / "doubtful-000.xml").unlink()
    with house.office() as office:
        office.sweep()
    assert house.bookings() == 4
    assert log_of(house, "approval void") == []


def test_case_q04_what_changed_since_somebody_looked_is_not_decided_by_his_click(house: House) -> None:
    review_id = _waits(house)
    ((digest,),) = house.ask("SELECT digest FROM reviews")
    with house.office() as office:
        with pytest.raises(RefusedError, match="changed since you looked"):
            office.decide(review_id, "approve", by="lin", seen="another digest")
        office.decide(review_id, "approve", by="lin", seen=digest)
    assert house.bookings() == 4


# Who decides


@pytest.mark.parametrize(
    "answer",
    [
        {**APPROVE, "by": "the chief accountant"},
        {"decisions": [{**APPROVE, "decided_by": "the chief accountant"}]},
        json.dumps([{**APPROVE, "approver": "the chief accountant"}]),
    ],
)
def test_case_q05_a_forged_name_is_left_aside_and_the_attempt_is_logged(house: House, answer: Any) -> None:
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        graph.invoke(Command(resume=answer), THREAD)
    account = house.services.account
    assert house.ask("SELECT decided_by FROM decisions") == [(account,)]
    assert log_of(house, "name in the answer ignored") == [(account, {"claimed": "the chief accountant"})]


def test_case_q05_with_people_created_an_unknown_name_decides_nothing_in_any_entry(house: House) -> None:
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
    (review_id,) = waiting(house)
    with house.office() as office:
        add_people(office, lin="reviewer")
        with pytest.raises(NotAllowedError, match="nobody here"):
            office.decide(review_id, "approve", by="wu")
    with house.graph() as (graph, _):
        again = graph.invoke(Command(resume=APPROVE), THREAD)["__interrupt__"][0].value
    assert "nobody here" in again["refused"]
    assert house.ask("SELECT count(*) FROM decisions") == [(0,)]
    with house.office() as office:
        office.decide(review_id, "approve", by="Lin")
    assert house.ask("SELECT decided_by FROM decisions") == [("lin",)]


def test_with_nobody_created_the_log_says_that_the_name_is_only_as_given(house: House) -> None:
    review_id = _waits(house)
    with house.office() as office:
        office.decide(review_id, "approve", by="lin")
    ((actor, content),) = log_of(house, "decided")
    assert (actor, content["identity"]) == ("lin", "as named: no users created")


@pytest.mark.parametrize(
    ("who", "kind", "says"),
    [
        ("clerk", "approve", "is for a reviewer"),
        ("qi", "approve", "over qi's limit of 5,000.00"),
        ("lin", "approve", "brought this in"),
        ("lin", "reject", "brought this in"),
    ],
)
def test_who_has_not_the_role_or_the_limit_or_brought_it_in_is_refused(
    house: House, who: str, kind: Any, says: str
) -> None:
    review_id = _waits(house, submitter="lin")
    with house.office() as office:
        add_people(office, lin="manager", clerk="submitter", qi="reviewer:5000", wu="manager")
        with pytest.raises(NotAllowedError, match=says):
            office.decide(review_id, kind, by=who, reason="no")
        assert house.bookings() == 3
        office.decide(review_id, "approve", by="wu")
    assert house.bookings() == 4


def test_a_small_limit_is_no_hindrance_to_a_rejection(house: House) -> None:
    review_id = _waits(house)
    with house.office() as office:
        add_people(office, qi="reviewer:5000")
        assert office.decide(review_id, "reject", by="qi", reason="forged").status == "rejected"


def test_an_edit_that_lifts_the_total_over_ones_limit_is_put_back(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("wrong_total",))
    review_id = _waits(house)
    with house.office() as office:
        add_people(office, qi="reviewer:100")
        settled = office.decide(review_id, "edit", by="qi", reason="misread", edits=_right_total(house))
    assert "over qi's limit" in settled.still_open
    assert waiting(house) == [review_id]
    assert house.bookings() == 0
    assert_whole(house)


def _right_total(house: House) -> dict[str, str]:
    """The edit that makes the one waiting invoice's total the sum that it must be."""
    ((question,),) = house.ask("SELECT question FROM reviews WHERE status = 'open'")
    args = json.loads(question)["action_requests"][0]["args"]
    return {"total": str(Decimal(args["net"]) + Decimal(args["tax"]))}


def test_case_q06_an_override_is_marked_as_one_with_reason_and_what_it_bypassed(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("broken_id", "over_limit"))
    with house.office() as office:
        office.audit(house.start(), name="one")
        for review_id in waiting(house):
            office.decide(review_id, "approve", by="lin", reason="special business")
    found = dict(house.ask("SELECT bypassed, override FROM decisions"))
    (hard,) = [json.loads(bypassed) for bypassed, override in found.items() if override]
    (plain,) = [json.loads(bypassed) for bypassed, override in found.items() if not override]
    assert "seller_tax_id" in hard
    assert plain == ["amount_limit"]
    html, report = (run_cli(house, "report", "one", "-o", "-", "--format", kind).out for kind in ("html", "json"))
    assert "override of " in html
    shown = [one for one in json.loads(report)["decisions"] if one["override"]]
    assert [one["bypassed"] for one in shown] == [hard]
    (told,) = [content for _, content in log_of(house, "decided") if content.get("override")]
    assert told["bypassed"] == hard
    assert told["reason"] == "special business"


def test_case_q06_where_the_policy_wants_a_reason_an_override_without_one_is_refused(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("broken_id",))
    _policy(house, "[approval]\noverride_reason = true")
    review_id = _waits(house)
    with house.office() as office:
        with pytest.raises(UsageError, match="needs a reason"):
            office.decide(review_id, "approve", by="lin")
        office.decide(review_id, "approve", by="lin", reason="verified by phone")
    assert house.bookings() == 1


# Delegation


def test_case_q08_a_delegate_has_every_verb_the_log_names_both_and_it_ends_on_its_date(
    make_house: MakeHouse, clock: SetClock
) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 5)
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        add_people(office, wu="manager", qi="submitter", lin="manager")
        first, *others, last = waiting(house)
        office.desk.reassign(office.services.tenant, first, "wu", "lin")
        send_away(office, "wu", "qi", date(2026, 11, 29), date(2026, 11, 30))
        mine = office.desk.names_for(office.services.tenant, "qi")
        moved = office.desk.page(office.services.tenant, QueueFilter(assignees=mine)).items
        assert [item.review_id for item in moved] == [first]
        office.decide(first, "approve", by="qi")
        office.decide(others[0], "reject", by="qi", reason="forged")
        number = json.loads(house.ask("SELECT question FROM reviews WHERE review_id = ?", others[1])[0][0])
        number = number["action_requests"][0]["args"]["number"]
        office.decide(others[1], "edit", by="qi", edits={"number": f"{number[:-2]}00"}, reason="misread")
        office.decide(others[2], "respond", by="qi", reason="which contract?")
        clock.pass_by(days=2)
        with pytest.raises(NotAllowedError, match="is for a reviewer"):
            office.decide(last, "approve", by="qi")
    named = house.ask("SELECT kind, decided_by, behalf_of FROM decisions ORDER BY at, kind")
    assert {(by, behalf) for _, by, behalf in named} == {("qi", "wu")}
    assert {kind for kind, _, _ in named} == {"approve", "reject", "edit", "respond"}
    assert all(content["behalf_of"] == "wu" for _, content in log_of(house, "decided"))
    assert house.statuses() == {"booked": 2, "rejected": 1, "waiting": 2}


def test_case_q08_a_delegate_never_decides_his_own_nor_the_claims_of_whom_he_stands_in_for(
    house: House, clock: SetClock
) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(submitter="wu"), name="one")
        add_people(office, wu="manager", qi="manager", lin="manager")
        send_away(office, "wu", "qi", date(2026, 11, 29), date(2026, 11, 30))
        send_away(office, "lin", "wu", date(2026, 11, 29), date(2026, 11, 30))
        (review_id,) = waiting(house)
        with pytest.raises(NotAllowedError, match="stands in for wu"):
            office.decide(review_id, "approve", by="qi")
        with pytest.raises(NotAllowedError, match="brought this in"):
            office.decide(review_id, "approve", by="wu")
        clock.pass_by(days=2)
        office.decide(review_id, "approve", by="qi")
    assert house.bookings() == 4


# Time


def test_case_q09_an_expired_review_is_never_booked_and_can_be_opened_again(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(submitter="lin"), name="one")
        (review_id,) = waiting(house)
        ((thread_id,),) = house.ask("SELECT thread_id FROM reviews")
        clock.pass_by(days=366)
        assert expire_late(office) == 1
        assert expire_late(office) == 0
        assert house.statuses() == {"booked": 3, "held": 1}
        with pytest.raises(ExpiredError, match="has expired"):
            office.decide(review_id, "approve", by="wu")
        answered = office.threads.graph_of(thread_id).invoke(
            Command(resume=APPROVE), {"configurable": {"thread_id": thread_id}}
        )
        assert "has expired" in answered["__interrupt__"][0].value["refused"]
        office.sweep()
        assert house.bookings() == 3
        assert "person:lin" in notices_of(house, "expired")
        office.reopen(review_id, by="wu", reason="the clerk was ill")
        assert house.statuses() == {"booked": 3, "waiting": 1}
        office.decide(review_id, "approve", by="wu")
    assert house.bookings() == 4
    assert [actor for actor, _ in log_of(house, "reopened")] == ["wu"]
    assert_whole(house)


def test_case_q09_a_late_answer_is_refused_even_before_anybody_noticed_the_time(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        (review_id,) = waiting(house)
        clock.pass_by(days=366)
        with pytest.raises(ExpiredError):
            office.decide(review_id, "approve", by="wu")
    assert house.ask("SELECT status FROM reviews") == [("expired",)]
    assert house.bookings() == 3


def test_a_review_is_reminded_of_and_climbs_three_hops_each_once(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        steps = []
        for _ in range(10):
            clock.pass_by(days=1)
            steps.append(remind(office))
            assert remind(office) == 0
    assert steps == [0, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    kinds = ("reminder", "escalated-1", "escalated-2", "escalated-3")
    told = [notices_of(house, kind) for kind in kinds]
    assert told == [["role:reviewer"], ["role:reviewer"], ["role:manager"], ["role:admin"]]


def test_days_until_a_review_is_due_are_days_of_work_by_chinas_calendar(house: House, clock: SetClock) -> None:
    """From the day before the holidays of October 2026, three days end on the Saturday that is worked instead."""
    clock.now = datetime(2026, 9, 30, 9, tzinfo=UTC)
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        (review_id,) = waiting(house)
        with reading(office.services.engine) as connection:
            review = find_review(connection, office.services.tenant, review_id)
        assert review.due_at == datetime(2026, 10, 10, 9, tzinfo=UTC)
        clock.now = datetime(2026, 10, 8, 12, tzinfo=UTC)
        assert remind(office) == 0
        clock.now = datetime(2026, 10, 9, 12, tzinfo=UTC)
        assert remind(office) == 1


def test_after_a_standstill_what_was_missed_is_made_up_for_once(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        clock.pass_by(days=20)
        assert remind(office) == 4
        assert remind(office) == 0


# Claims


def test_case_q23_a_claim_keeps_others_off_until_its_lease_ends(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        (review_id,) = waiting(house)
        tenant, desk = office.services.tenant, office.desk
        desk.claim(tenant, review_id, "lin")
        desk.claim(tenant, review_id, "lin")
        for refused in (
            lambda: desk.claim(tenant, review_id, "wu"),
            lambda: desk.release(tenant, review_id, "wu"),
            lambda: office.decide(review_id, "approve", by="wu"),
        ):
            with pytest.raises(NotAllowedError, match="is claimed by lin until"):
                refused()
        clock.pass_by(minutes=31)
        desk.claim(tenant, review_id, "wu")
        with pytest.raises(NotAllowedError, match="is claimed by wu"):
            office.decide(review_id, "approve", by="lin")
        desk.release(tenant, review_id, "wu")
        office.decide(review_id, "approve", by="lin")
        with pytest.raises(AlreadyDecidedError):
            office.decide(review_id, "reject", by="wu", reason="late")
        with pytest.raises(RefusedError, match="only what waits"):
            desk.claim(tenant, review_id, "wu")
    assert house.bookings() == 4


def test_a_reassigned_review_waits_for_the_other_who_is_told(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(submitter="qi"), name="one")
        (review_id,) = waiting(house)
        tenant, desk = office.services.tenant, office.desk
        desk.claim(tenant, review_id, "lin")
        with pytest.raises(NotAllowedError, match="can't wait for qi"):
            desk.reassign(tenant, review_id, "qi", "lin")
        desk.reassign(tenant, review_id, "wu", "lin")
        (item,) = desk.page(tenant, QueueFilter(assignees=["wu"])).items
        assert (item.assignee, item.claimed_by) == ("wu", None)
    assert notices_of(house, "assigned") == ["person:wu"]
    assert log_of(house, "reassigned")[0][1]["claimed_by"] == "lin"


# Two people


def test_case_q22_an_edit_after_the_first_approval_needs_both_again(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("wrong_total",))
    _policy(house, '[approval]\nsecond_person_from = "1.00"')
    review_id = _waits(house)
    with house.office() as office:
        first = office.decide(review_id, "approve", by="lin")
        assert "a second, different person" in first.still_open
        with pytest.raises(NotAllowedError, match="has approved this already"):
            office.decide(review_id, "approve", by="LIN")
        right = _right_total(house)
        edited = office.decide(review_id, "edit", by="wu", edits=right, reason="misread")
        assert "a second, different person" in edited.still_open
        ((question,),) = house.ask("SELECT question FROM reviews")
        assert json.loads(question)["action_requests"][0]["args"]["total"] == right["total"]
        with pytest.raises(NotAllowedError, match="has approved this already"):
            office.decide(review_id, "approve", by="wu")
        assert house.bookings() == 0
        settled = office.decide(review_id, "approve", by="lin")
    assert settled.status == "booked"
    assert house.ask("SELECT amount, kind, booked_by FROM bookings") == [(right["total"], "corrected", "lin")]
    assert [actor for actor, _ in log_of(house, "approved, a second person is needed")] == ["lin", "wu"]
    assert_whole(house)


def test_case_q22_a_second_person_is_needed_by_bare_answers_too(house: House) -> None:
    _policy(house, '[approval]\nsecond_person_from = "100000.00"')
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        for _ in range(2):
            again = graph.invoke(Command(resume=APPROVE), THREAD)["__interrupt__"][0].value
    assert "has approved this already" in again["refused"]
    assert house.bookings() == 3
    with house.office() as office:
        office.decide(waiting(house)[0], "approve", by="wu")
    assert house.bookings() == 4
    assert_whole(house)


def test_case_q22_a_corrected_amount_needs_a_second_person_where_the_policy_says_so(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller", "wrong_total"))
    _policy(house, '[approval]\nsecond_person_for = ["amount"]')
    with house.office() as office:
        office.audit(house.start(), name="one")
        (plain,) = office.desk.ids("default", QueueFilter(group="known_seller"))
        assert office.decide(plain, "approve", by="lin").status == "booked"
        (other,) = waiting(house)
        settled = office.decide(other, "edit", by="lin", edits=_right_total(house), reason="misread")
        assert "a second, different person" in settled.still_open
        with pytest.raises(NotAllowedError):
            office.decide(other, "approve", by="lin")
        office.decide(other, "reject", by="wu", reason="never delivered")
    assert house.statuses() == {"booked": 1, "rejected": 1}


def test_a_delegate_is_no_second_person_beside_the_one_he_stands_in_for(house: House, clock: SetClock) -> None:
    _policy(house, '[approval]\nsecond_person_from = "100000.00"')
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        add_people(office, wu="manager", qi="submitter", lin="manager")
        send_away(office, "wu", "qi", date(2026, 11, 29), date(2026, 11, 30))
        (review_id,) = waiting(house)
        office.decide(review_id, "approve", by="qi")
        with pytest.raises(NotAllowedError, match="has approved this already"):
            office.decide(review_id, "approve", by="wu")
        office.decide(review_id, "approve", by="lin")
    assert house.bookings() == 4


# Many at once


def test_case_q11_of_twenty_selected_three_fail_with_reasons_and_the_second_click_is_harmless(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller",) * 20)
    with house.office() as office:
        office.audit(house.start(), name="one")
        add_people(office, lin="reviewer:50000", wu="manager")
        selected = waiting(house)
        stale, large, decided = selected[:3]
        seen = {item.review_id: item.digest for item in office.desk.page("default").items}
        seen[stale] = "what it was before"
        house.change("UPDATE reviews SET amount = 60000 WHERE review_id = ?", large)
        office.decide(decided, "reject", by="wu", reason="forged")
        outcomes = office.decide_many(selected, "approve", by="lin", reason="known to us", seen=seen)
        failed = {outcome.review_id: outcome.why for outcome in outcomes if not outcome.done}
        assert sum(outcome.done for outcome in outcomes) == 17
        assert set(failed) == {stale, large, decided}
        assert "changed since you looked" in failed[stale]
        assert "over lin's limit" in failed[large]
        assert "already decided: reject by wu" in failed[decided]
        again = office.decide_many(selected, "approve", by="lin", reason="known to us", seen=seen)
        assert [(one.review_id, one.why) for one in again] == [(one.review_id, one.why) for one in outcomes]
    assert house.statuses() == {"booked": 17, "waiting": 2, "rejected": 1}
    assert house.log_lines("decided") == 18
    assert_whole(house)


def test_case_q11_a_group_question_is_asked_once_for_each(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller",) * 3)
    with house.office() as office:
        office.audit(house.start(submitter="qi"), name="one")
        for _ in range(2):
            outcomes = office.decide_many(waiting(house), "respond", by="lin", reason="which contract?")
            assert all(outcome.done for outcome in outcomes)
    assert house.log_lines("asked the submitter") == 3
    assert notices_of(house, "asked") == ["person:qi"] * 3


def test_case_q11_different_reasons_are_no_group_and_high_risk_is_never_in_one(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller", "over_limit", "over_limit", "broken_id"))
    with house.office() as office:
        office.audit(house.start(), name="one")
        with pytest.raises(UsageError, match="different reasons"):
            office.decide_many(waiting(house), "approve", by="lin", reason="all fine")
        large = office.desk.ids("default", QueueFilter(group="amount_limit"))
        outcomes = office.decide_many(large, "approve", by="lin", reason="all fine")
        assert len(outcomes) == 2
        assert all("never in a group" in outcome.why for outcome in outcomes)
        assert office.decide_many(large[:1], "approve", by="lin", reason="fine") == [
            Outcome(large[0], office.decide(large[0], "approve", by="lin", reason="fine"))
        ]
    assert house.bookings() == 1


def test_case_q12_a_hundred_mixed_items_are_grouped_and_the_gravest_come_first(make_house: MakeHouse) -> None:
    doubts = ("unknown_seller",) * 80 + ("over_limit",) * 15 + ("broken_id",) * 5
    house = make_house(clean=0, doubtful=doubts)
    with house.office() as office:
        office.audit(house.start(), name="one")
        page = office.desk.page("default", limit=100)
        groups = office.desk.groups("default")
    assert page.total == len(page.items) == 100
    ranks = [(item.risk, item.amount) for item in page.items]
    assert ranks == sorted(ranks, reverse=True)
    assert {item.rule for item in page.items if item.risk == Risk.HIGH} == {"amount_limit", "seller_tax_id"}
    assert sum(group.count for group in groups) == 100
    assert sum(group.amount for group in groups) == sum(item.amount for item in page.items)
    assert [group.risk for group in groups] == sorted((group.risk for group in groups), reverse=True)
    assert {group.rule for group in groups if group.together} == {"known_seller"}
    # Eighty of a hundred are settled by as many clicks as there are sellers.
    assert sum(group.together for group in groups) <= 10


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"trigger": "high_stakes"}, 2),
        ({"rule": "known_seller"}, 4),
        ({"group": "known_seller"}, 3),
        ({"risk": Risk.HIGH}, 3),
        ({"batch": "one"}, 6),
        ({"batch": "two"}, 0),
        ({"least": Decimal(100_000)}, 2),
        ({"most": Decimal(99_999)}, 4),
        ({"status": ReviewStatus.APPLIED}, 0),
        ({"assignees": ["lin"]}, 0),
        ({"text": "no such words"}, 0),
        ({"text": "%"}, 0),
    ],
)
def test_the_queue_is_filtered(make_house: MakeHouse, wanted: dict[str, Any], count: int) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller",) * 3 + ("over_limit",) * 2 + ("broken_id",))
    with house.office() as office:
        office.audit(house.start(), name="one")
        page = office.desk.page("default", QueueFilter(**wanted), limit=2)
        assert office.desk.page("other", QueueFilter(**wanted)).total == 0
    assert (page.total, len(page.items)) == (count, min(count, 2))


def test_case_23_what_a_user_asks_the_queue_for_is_a_value_and_never_a_name(house: House) -> None:
    _waits(house)
    hostile = "x' OR '1'='1"
    texts = [field.name for field in fields(QueueFilter) if "str" in str(field.type)]
    assert len(texts) >= 6
    with house.office() as office:
        for name in texts:
            value = [hostile] if name == "assignees" else hostile
            assert office.desk.page("default", QueueFilter(**{name: value})).total == 0
        with pytest.raises(TypeError):
            QueueFilter(**{hostile: "1"})


def test_case_23_no_search_of_checkpoints_takes_a_filter(house: House) -> None:
    root = Path(__file__).parents[2]
    for folder in ("graphs", "nodes", "oversight", "remembrancer"):
        for path in (root / folder).rglob("*.py"):
            # Our savers hand on what langgraph itself passes them, and nothing else.
            text = path.read_text("utf-8").replace("filter=filter", "")
            assert "filter=" not in text, f"{path.name} passes a filter to a saver or store"


# Asking again


def test_case_07_a_rejection_is_reconsidered_by_a_fork_and_the_log_shows_both(house: House) -> None:
    review_id = _waits(house)
    with house.office() as office:
        office.decide(review_id, "reject", by="lin", reason="forged")
        with pytest.raises(AlreadyDecidedError):
            office.decide(review_id, "approve", by="wu")
        fork = office.reopen(review_id, "wu", "the seller sent the contract")
        assert (fork.forked_from, fork.status) == (review_id, "open")
        assert fork.review_id != review_id
        assert fork.question["evidence"]["reconsiders"]["decided_by"] == "lin"
        assert house.statuses() == {"booked": 3, "waiting": 1}
        with pytest.raises(RefusedError, match="asked about again already"):
            office.reopen(review_id, "wu", "once more")
        assert office.decide(fork.review_id, "approve", by="wu").status == "booked"
    told = [(actor, content["kind"]) for actor, content in log_of(house, "decided")]
    assert told == [("lin", "reject"), ("wu", "approve")]
    report = json.loads(run_cli(house, "report", "one", "-o", "-", "--format", "json").out)
    assert [(one["decided_by"], one["kind"]) for one in report["decisions"]] == told
    assert log_of(house, "reopened")[0][1]["forked_from"] == review_id
    assert house.bookings() == 4
    assert_whole(house)


def test_case_07_a_booking_is_reconsidered_and_taken_back_with_an_entry_of_its_own(house: House) -> None:
    review_id = _waits(house)
    with house.office() as office:
        office.decide(review_id, "approve", by="lin")
        fork = office.reopen(review_id, "wu", "the goods never came")
        assert fork.question["review_configs"][0]["allowed_decisions"] == ["approve", "reject", "respond"]
        assert house.statuses() == {"booked": 4}
        assert office.decide(fork.review_id, "reject", by="wu", reason="never came").status == "reversed"
    entries = house.ask("SELECT entry, amount FROM bookings WHERE decision_id IS NOT NULL OR entry = 'reversal'")
    assert sum(Decimal(amount) for _, amount in entries) == 0
    assert len(entries) == 2
    assert_whole(house)


def test_a_crash_between_asking_again_and_its_thread_loses_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    review_id = _waits(house)
    with house.office() as office:
        office.decide(review_id, "reject", by="lin", reason="forged")
        with monkeypatch.context() as patched:
            patched.setattr(type(office.threads), "if_free", lambda *_: False)
            fork = office.reopen(review_id, "wu", "the seller sent the contract")
        office.sweep()
        assert office.decide(fork.review_id, "approve", by="wu").status == "booked"
    assert_whole(house)


def test_what_waits_is_not_opened_again_and_a_reason_is_needed(house: House) -> None:
    review_id = _waits(house)
    with house.office() as office:
        with pytest.raises(RefusedError, match="only what expired or was decided"):
            office.reopen(review_id, "wu", "why not")
        with pytest.raises(UsageError, match="needs a reason"):
            office.reopen(review_id, "wu", " ")


# The library past the desk


def test_case_04_a_thread_has_one_question_at_a_time(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 3)
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        for left in (3, 2, 1):
            assert len(graph.get_state(THREAD).interrupts) == 1
            before = house.ask_checkpoints("SELECT count(*) FROM checkpoints WHERE checkpoint_ns = ''")
            graph.invoke(None, THREAD)
            assert house.ask_checkpoints("SELECT count(*) FROM checkpoints WHERE checkpoint_ns = ''") == before
            assert house.statuses().get("waiting") == left
            graph.invoke(Command(resume=APPROVE), THREAD)
    assert house.statuses() == {"booked": 3}


def test_case_11_a_bare_answer_is_never_ambiguous_and_ids_of_others_answer_nothing(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 2)
    with house.office() as office:
        office.audit(house.start(), name="one")
        threads = [row[0] for row in house.ask("SELECT thread_id FROM reviews ORDER BY review_id")]
        states = [office.threads.state(thread) for thread in threads]
        assert [len(state.interrupts) for state in states] == [1, 1]
        foreign = Command(resume={states[1].interrupts[0].id: APPROVE})
        before = house.ask_checkpoints("SELECT count(*) FROM checkpoints")
        office.threads.graph_of(threads[0]).invoke(foreign, {"configurable": {"thread_id": threads[0]}})
    assert house.statuses() == {"waiting": 2}
    assert house.ask_checkpoints("SELECT count(*) FROM checkpoints") == before


@pytest.mark.parametrize("nothing", [None, {}])
def test_case_14_nothing_as_an_answer_decides_nothing_and_writes_nothing(house: House, nothing: Any) -> None:
    with house.graph() as (graph, _):
        graph.invoke(house.start(), THREAD)
        before = house.ask_checkpoints("SELECT thread_id, checkpoint_id FROM checkpoints")
        # Langgraph itself raises UnboundLocalError over None, and takes {} for no answer at all.
        with suppress(UnboundLocalError):
            graph.invoke(Command(resume=nothing), THREAD)
        assert house.ask_checkpoints("SELECT thread_id, checkpoint_id FROM checkpoints") == before
        assert graph.invoke(Command(resume=APPROVE), THREAD)["counts"] == {"booked": 4}
    assert house.ask("SELECT count(*) FROM decisions") == [(1,)]


def test_case_43_nothing_needs_a_loadable_extension(house: House) -> None:
    root = Path(__file__).parents[2]
    for folder in ("foundation", "memory", "oversight", "remembrancer"):
        for path in (root / folder).rglob("*.py"):
            assert "load_extension" not in path.read_text("utf-8"), f"{path.name} needs an extension"
    now = datetime(2026, 11, 29, tzinfo=UTC)
    with closing(Memory.open(f"sqlite:///{house.root / 'memory.db'}", embedder=None)) as memory:
        scope = Scope.user("acme", "lin")
        memory.observe(scope, [Message("m1", "t1", "user", "I am allergic to mangoes.", now)])
        found = memory.search(scope, "mangoes", now=now)
    assert [one.memory.content for one in found.recollections]


# The worker and the command line


def test_the_worker_runs_each_chore_when_its_time_has_come_and_goes_on_after_one_fails(
    house: House, clock: SetClock
) -> None:
    ran: list[str] = []

    def failing(_: Office) -> int:
        raise RefusedError("not today")

    chores = (
        Chore("failing", timedelta(minutes=1), failing),
        Chore("often", timedelta(minutes=1), lambda _: ran.append("often") or 1),
        Chore("seldom", timedelta(minutes=5), lambda _: ran.append("seldom") or 2),
    )
    with office_at(house, clock) as office:
        worker = Worker(office, chores)
        assert worker.run_due() == {"failing": 0, "often": 1, "seldom": 2}
        assert worker.run_due() == {}
        clock.pass_by(minutes=1)
        assert worker.run_due() == {"failing": 0, "often": 1}
    assert ran == ["often", "seldom", "often"]


def _of_the_desk(done: dict[str, int]) -> dict[str, int]:
    return {chore: done[chore] for chore in ("sweep", "expire", "remind")}


def test_the_worker_sweeps_expires_and_reminds(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        office.audit(house.start(), name="one")
        assert _of_the_desk(Worker(office).run_due()) == {"sweep": 0, "expire": 0, "remind": 0}
        clock.pass_by(days=2)
        assert _of_the_desk(Worker(office).run_due()) == {"sweep": 0, "expire": 0, "remind": 1}
        clock.pass_by(days=365)
        assert _of_the_desk(Worker(office).run_due()) == {"sweep": 0, "expire": 1, "remind": 0}
    assert house.statuses() == {"booked": 3, "held": 1}


def test_the_worker_archives_a_conversation_that_went_quiet(house: House, clock: SetClock) -> None:
    with office_at(house, clock) as office:
        services = office.services
        said = [
            Message(f"m{n}", "talk", "user", text, clock()) for n, text in enumerate(("怎么加缓存？", "缓存多久过期？"))
        ]
        services.memory().observe(Scope.user(services.tenant, "lin"), said, now=clock())
        assert Worker(office).run_due()["close sessions"] == 0
        clock.pass_by(days=1)
        assert Worker(office).run_due()["close sessions"] == 1


def test_a_group_is_decided_on_the_command_line_and_what_is_left_says_why(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("unknown_seller",) * 3 + ("over_limit",) * 2)
    assert run_cli(house, "audit", str(house.papers.folder), "--batch", "one").code == 3
    groups = json.loads(run_cli(house, "reviews", "--groups", "--json").out)
    assert {(group["rule"], group["together"]) for group in groups} == {("known_seller", True), ("amount_limit", False)}
    done = run_cli(house, "decide", "--group", "known_seller", "approve", "--by", "lin", "--reason", "known to us")
    assert done.code == 0, done.err
    assert "3 done, 0 left" in done.out
    left = run_cli(house, "decide", "--group", "amount_limit", "approve", "--by", "lin", "--json")
    assert left.code == 3
    assert [one["done"] for one in json.loads(left.out)] == [False, False]
    assert run_cli(house, "decide", "approve").code == 2
    review_id = waiting(house)[0]
    assert run_cli(house, "claim", review_id, "--by", "lin").code == 0
    refused = run_cli(house, "decide", review_id, "approve", "--by", "wu")
    assert refused.code == 1
    assert "is claimed by lin" in refused.err
    assert run_cli(house, "reassign", review_id, "--to", "wu", "--by", "lin").code == 0
    assert [one["review_id"] for one in json.loads(run_cli(house, "reviews", "--assignee", "wu", "--json").out)] == [
        review_id
    ]
    assert run_cli(house, "decide", review_id, "reject", "--reason", "forged", "--by", "wu").code == 0
    assert run_cli(house, "reopen", review_id, "--reason", "not forged", "--by", "wu").code == 0
    assert run_cli(house, "worker", "--once", "--json").code == 0
    assert house.statuses() == {"booked": 3, "waiting": 2}
    assert_whole(house)


def test_what_is_done_with_costs_a_sweep_and_a_pruning_nothing_to_speak_of(make_house: MakeHouse) -> None:
    house = make_house(clean=1, doubtful=("over_limit", "broken_id"))
    with house.office() as office:
        office.audit(house.start(), name="one")
        office.decide(waiting(house)[0], "approve", by="lin")
        with plans_of(house.services.engine) as told:
            office.sweep()
            prune_closed(office, days=7)
    assert [line for line in told if "reviews" in line and line.startswith("SCAN")] == []
    assert [line for line in told if "CORRELATED" in line] == []
