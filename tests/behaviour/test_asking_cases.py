"""Faults of LangGraph applications that ask people, seen in the field; each is shown not to happen here."""

import ast
import json
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

import graphs.asking
from foundation.database import reading
from foundation.errors import NotFoundError, PolicyError, RefusedError, ThreadAnsweredError, UsageError
from graphs.invoice_audit import build_invoice_audit
from graphs.state import AuditState, ReviewState
from invoices.policy import load_policy
from nodes.services import Services
from oversight.answer import AnswerError, parse_answer
from oversight.checkpoints import GuardedAsyncSqliteSaver, open_saver
from oversight.reviews import list_reviews
from remembrancer.settings import Settings
from remembrancer.wiring import open_services
from tests.support.ghosts import AFTER_APPLY, APPROVE, REJECT, make_ghost
from tests.support.house import THREAD, House, assert_whole
from tests.support.processes import run_cli, start_cli

_ROOT = Path(__file__).parents[2]
MakeHouse = Callable[..., House]


def _pause(house: House) -> dict[str, Any]:
    """Audit in one thread until it asks; the question."""
    with house.graph() as (graph, _):
        return dict(graph.invoke(house.start(), THREAD)["__interrupt__"][0].value)


def _reply(house: House, answer: Any) -> dict[str, Any]:
    with house.graph() as (graph, _):
        return dict(graph.invoke(Command(resume=answer), THREAD))


def _reviews_in_threads(house: House) -> list[str]:
    """The reviews of all doubtful invoices, each waiting in a thread of its own."""
    with house.office() as office:
        office.audit(house.start(), name="one")
    return [row[0] for row in house.ask("SELECT review_id FROM reviews ORDER BY review_id")]


def _rows(house: House, but: str = "") -> list[tuple[Any, ...]]:
    """All checkpoint rows of all threads but one."""
    return [
        row
        for table in ("checkpoints", "writes")
        for row in house.ask_checkpoints(f"SELECT * FROM {table} WHERE thread_id != ? ORDER BY 1, 2, 3, 4, 6", but)
    ]


def test_case_01_pause_question_again_and_resume_book_exactly_once(house: House) -> None:
    _pause(house)
    assert house.bookings() == 3
    assert _reply(house, "perhaps")["__interrupt__"]
    assert house.bookings() == 3
    _reply(house, APPROVE)
    assert house.bookings() == house.log_lines("booked") == 4


def test_case_02_a_valid_answer_wins_after_five_malformed_ones(house: House) -> None:
    _pause(house)
    for malformed in ("perhaps", 7, [], {"decisions": []}, {"type": "launch"}):
        assert _reply(house, malformed)["__interrupt__"][0].value["refused"]
    assert _reply(house, APPROVE)["counts"] == {"booked": 4}


def test_case_03_a_changed_decision_is_honoured_after_a_failed_apply_step(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = _pause(house)

    def out_of_order(*_: object) -> None:
        raise OSError("the disk is gone for a moment")

    with monkeypatch.context() as patched:
        patched.setattr("nodes.apply.mark_applied", out_of_order)
        with pytest.raises(OSError, match="gone for a moment"):
            _reply(house, APPROVE)
    assert house.bookings() == 3
    with house.office() as office:
        settled = office.decide(question["review_id"], "reject", by="wu", reason="forged after all")
    assert settled.status == "rejected"
    assert house.bookings() == 3
    assert_whole(house)


def test_case_04_running_on_without_an_answer_never_answers_the_second_question(make_house: MakeHouse) -> None:
    house = make_house(clean=1, doubtful=("over_limit", "over_limit"))
    first = _pause(house)
    second = _reply(house, APPROVE)["__interrupt__"][0].value
    assert first["review_id"] != second["review_id"]
    before = _rows(house)
    with house.graph() as (graph, _):
        again = graph.invoke(None, THREAD)["__interrupt__"]
    assert [one.value for one in again] == [second]
    assert _rows(house) == before
    assert house.statuses() == {"booked": 2, "waiting": 1}


def test_case_07_answering_an_answered_checkpoint_differently_is_refused_and_writes_nothing(house: House) -> None:
    _pause(house)
    with house.graph() as (graph, _):
        old = graph.get_state(THREAD).config
        graph.invoke(Command(resume=APPROVE), THREAD)
        finished = graph.get_state(THREAD)
        with pytest.raises(ThreadAnsweredError, match="answered and gone on from"):
            graph.invoke(Command(resume=REJECT), old)
        assert graph.get_state(THREAD) == finished
    assert house.statuses() == {"booked": 4}
    assert house.log_lines("decided") == 1
    assert house.log_lines("rejected") == 0


def test_case_08_answering_one_of_twenty_runs_nothing_for_the_others(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 20)
    review_id = _reviews_in_threads(house)[7]
    ((thread_id,),) = house.ask("SELECT thread_id FROM reviews WHERE review_id = ?", review_id)
    others = _rows(house, but=thread_id)
    with house.office() as office:
        office.decide(review_id, "approve", by="lin")
    assert _rows(house, but=thread_id) == others
    assert house.statuses() == {"booked": 1, "waiting": 19}


def test_case_10_pending_questions_have_ids_of_their_own(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * 3)
    reviews = _reviews_in_threads(house)
    with house.office() as office:
        states = [office.threads.state(row[0]) for row in house.ask("SELECT thread_id FROM reviews")]
        office.decide(reviews[0], "approve", by="lin")
    ids = [interrupt.id for state in states for interrupt in state.interrupts]
    assert len(ids) == len(set(ids)) == 3
    assert house.ask("SELECT review_id FROM reviews WHERE status = 'applied'") == [(reviews[0],)]


def _calls_of_interrupt(tree: ast.AST) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "interrupt"
    ]


def test_case_12_a_gate_holds_one_interrupt_and_nothing_else() -> None:
    gates = ast.parse((_ROOT / "nodes" / "review.py").read_text("utf-8"))
    functions = [node for node in gates.body if isinstance(node, ast.FunctionDef)]
    assert functions
    for function in functions:
        docstring, *statements = function.body
        assert isinstance(docstring, ast.Expr)
        assert len(statements) == 1
        assert isinstance(statements[0], ast.Return)
        assert len(_calls_of_interrupt(function)) == 1
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        assert len(calls) == 1, f"{function.name} does something beside asking"


def test_case_12_no_other_module_asks_and_nothing_asks_inside_try() -> None:
    for folder in ("foundation", "graphs", "invoices", "memory", "nodes", "oversight", "remembrancer"):
        for path in (_ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            if path != _ROOT / "nodes" / "review.py":
                assert not _calls_of_interrupt(tree), f"{path.name} asks outside the gates"
            for block in (node for node in ast.walk(tree) if isinstance(node, ast.Try)):
                assert not _calls_of_interrupt(block)


def test_case_13_deciding_on_finished_and_unknown_threads_gives_typed_errors(house: House) -> None:
    (review_id,) = _reviews_in_threads(house)
    with house.office() as office:
        office.decide(review_id, "approve", by="lin")
        before = _rows(house)
        with pytest.raises(RefusedError):
            office.decide(review_id, "approve", by="wu")
        with pytest.raises(NotFoundError):
            office.decide("rev_unknown", "approve", by="lin")
    assert _rows(house) == before


@pytest.mark.parametrize("nothing", [None, {}, [], "", " ", False, 0, {"decisions": None}, {"type": None}])
def test_case_14_an_empty_answer_is_refused(house: House, nothing: Any) -> None:
    question = _question()
    with pytest.raises(AnswerError):
        parse_answer(nothing, question)


def _question() -> dict[str, Any]:
    return {
        "action_requests": [{"name": "book_invoice", "args": {}, "description": ""}],
        "review_configs": [
            {"action_name": "book_invoice", "allowed_decisions": ["approve"], "args_schema": {"properties": {}}}
        ],
    }


def test_case_14_empty_answers_to_the_graph_leave_the_question_open(house: House) -> None:
    _pause(house)
    for nothing in (False, 0, "", []):
        assert _reply(house, nothing)["__interrupt__"]
    assert house.statuses() == {"booked": 3, "waiting": 1}
    assert _reply(house, APPROVE)["counts"] == {"booked": 4}


def test_case_17_two_threads_resuming_one_invoice_make_one_booking_and_one_refusal(house: House) -> None:
    (review_id,) = _reviews_in_threads(house)
    refusals: list[str] = []
    barrier = threading.Barrier(2)

    def decide(by: str) -> None:
        with house.office() as office:
            barrier.wait()
            try:
                office.decide(review_id, "approve", by=by)
            except RefusedError as error:
                refusals.append(str(error))

    people = [threading.Thread(target=decide, args=(name,)) for name in ("lin", "wu")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert len(refusals) == 1
    assert "already decided: approve by" in refusals[0]
    assert house.bookings() == 4
    assert_whole(house)


def test_case_18_a_crash_between_apply_and_checkpoint_books_once(house: House) -> None:
    make_ghost(house, AFTER_APPLY)
    assert house.bookings() == 4
    with house.office() as office:
        office.sweep()
    assert house.bookings() == house.log_lines("booked") == 4
    assert_whole(house)


def _rubbish(state: dict[str, Any], *, services: Services, matter: object) -> dict[str, Any]:
    """A node whose result no checkpoint can hold."""
    return {"decision": threading.Lock()}


def test_case_19_a_node_that_returns_rubbish_fails_the_run_and_the_thread_stays_readable(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(graphs.asking, "judge", _rubbish)
        _pause(house)
        with pytest.raises(TypeError):
            _reply(house, APPROVE)
    with house.graph() as (graph, _):
        assert graph.get_state(THREAD).values["batch_id"]
    with house.office() as office:
        office.sweep()
    assert house.statuses() == {"booked": 4}


_PLAIN = (str, int, bool, float, type(None), Any)


def _is_plain(hint: Any) -> bool:
    if get_origin(hint) is Literal or hint in _PLAIN:
        return True
    return get_origin(hint) in {list, dict, type(str | None)} and all(_is_plain(part) for part in get_args(hint))


@pytest.mark.parametrize("state", [AuditState, ReviewState])
def test_case_20_states_hold_plain_data_only(state: type) -> None:
    assert [name for name, hint in get_type_hints(state).items() if not _is_plain(hint)] == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _values(hint: Any) -> st.SearchStrategy[Any]:
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is list:
        return st.lists(_values(get_args(hint)[0]), max_size=4)
    if get_origin(hint) is dict:
        return st.dictionaries(st.text(), _values(get_args(hint)[1]), max_size=4)
    plain = {str: st.text(), int: st.integers(-(2**63), 2**63 - 1), bool: st.booleans(), type(None): st.none()}
    return plain.get(hint, _JSON) if not get_args(hint) else st.one_of(*map(_values, get_args(hint)))


_STATES = st.fixed_dictionaries({}, optional={name: _values(hint) for name, hint in get_type_hints(AuditState).items()})


_STRICT = JsonPlusSerializer()


@given(state=_STATES)
def test_case_21_every_state_survives_the_checkpoint_unchanged(state: dict[str, Any]) -> None:
    assert _STRICT.loads_typed(_STRICT.dumps_typed(state)) == state


def _tampered(proof: Path) -> bytes:
    """A checkpoint that makes its reader call `os.mkdir`."""
    call = ormsgpack.packb(("os", "mkdir", str(proof)))
    return ormsgpack.packb({"v": 4, "channel_values": {"question": ormsgpack.Ext(0, call)}})


def test_case_22_a_tampered_checkpoint_executes_nothing(house: House) -> None:
    _pause(house)
    proof = house.root / "executed"
    for kind, value in (("msgpack", _tampered(proof)), ("pickle", b"cos\nmkdir\n(V%b\ntR." % str(proof).encode())):
        with closing(sqlite3.connect(house.settings.checkpoints)) as connection:
            connection.execute("UPDATE writes SET type = ?, value = ?", (kind, value))
            connection.execute("UPDATE checkpoints SET type = ?, checkpoint = ?", (kind, value))
            connection.commit()
        with house.graph() as (graph, _), suppress(Exception):
            graph.get_state(THREAD)
        assert not proof.exists(), kind


def test_case_22_the_tampered_checkpoint_would_execute_without_strict_mode(tmp_path: Path) -> None:
    permissive = JsonPlusSerializer(allowed_msgpack_modules=True)
    permissive.loads_typed(("msgpack", _tampered(tmp_path / "executed")))
    assert (tmp_path / "executed").exists()


def test_case_22_strict_mode_is_on_in_every_entry_point() -> None:
    for package in ("remembrancer", "graphs", "nodes"):
        tree = ast.parse((_ROOT / package / "__init__.py").read_text("utf-8"))
        calls = [
            node.value.func for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ]
        assert "prepare_process" in {call.id for call in calls if isinstance(call, ast.Name)}
    assert os.environ["LANGGRAPH_STRICT_MSGPACK"] == "true"


def test_case_25_a_process_that_holds_the_write_lock_for_two_seconds_fails_no_approval(house: House) -> None:
    (review_id,) = _reviews_in_threads(house)
    files = (house.settings.home / "remembrancer.db", house.settings.checkpoints)
    holders = [sqlite3.connect(path, check_same_thread=False, isolation_level=None) for path in files]
    for holder in holders:
        holder.execute("BEGIN IMMEDIATE").close()
    approval = start_cli(house, "decide", review_id, "approve", "--by", "lin")
    timer = threading.Timer(2.0, lambda: [holder.rollback() for holder in holders])
    timer.start()
    done = approval.wait()
    timer.join()
    for holder in holders:
        holder.close()
    assert done.code == 0, done.err
    assert house.statuses() == {"booked": 4}


def test_case_27_fifty_invoices_twenty_times_stay_below_a_fixed_size(make_house: MakeHouse) -> None:
    house = make_house(clean=50, doubtful=())
    with house.office() as office:
        for number in range(20):
            office.audit(house.start(), name=f"run-{number}")
    ((rows,),) = house.ask_checkpoints("SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints")
    ((writes,),) = house.ask_checkpoints("SELECT sum(length(value)) FROM writes")
    assert rows + writes < 20 * 6_000
    assert house.bookings() == 50


def test_case_28_the_async_saver_pauses_resumes_and_refuses_new_input(house: House) -> None:
    import asyncio

    async def run() -> dict[str, Any]:
        house.settings.home.mkdir(parents=True, exist_ok=True)
        async with GuardedAsyncSqliteSaver.from_conn_string(str(house.settings.checkpoints)) as saver:
            graph = build_invoice_audit(house.services, checkpointer=saver)
            assert (await graph.ainvoke(house.start(), THREAD))["__interrupt__"]
            with pytest.raises(RefusedError):
                await graph.ainvoke(house.start(batch="another"), THREAD)
            return dict(await graph.ainvoke(Command(resume=APPROVE), THREAD))

    assert asyncio.run(run())["counts"] == {"booked": 4}


def test_a_thread_that_a_script_began_goes_on_in_a_server(house: House) -> None:
    """A server counts a channel's versions in texts, a script in numbers; compared with each other both would fail."""
    import asyncio

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    class AsServersCount(GuardedAsyncSqliteSaver):
        get_next_version = AsyncSqliteSaver.get_next_version

    _pause(house)

    async def run() -> dict[str, Any]:
        async with AsServersCount.from_conn_string(str(house.settings.checkpoints)) as saver:
            graph = build_invoice_audit(house.services, checkpointer=saver)
            return dict(await graph.ainvoke(Command(resume=APPROVE), THREAD))

    assert asyncio.run(run())["counts"] == {"booked": 4}
    with house.graph() as (graph, _):
        assert graph.get_state(THREAD).next == ()


def test_case_29_no_graph_of_langgraph_json_carries_a_saver_or_a_store(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio
    from importlib import import_module

    for name, value in house.environment.items():
        monkeypatch.setenv(name, value)
    targets = json.loads((_ROOT / "langgraph.json").read_text("utf-8"))["graphs"]
    assert targets
    for target in targets.values():
        path, _, name = target["path"].partition(":") if isinstance(target, dict) else target.partition(":")
        module = import_module(path.removeprefix("./").removesuffix(".py").replace("/", "."))
        graph = asyncio.run(getattr(module, name)())
        assert graph.checkpointer is None
        assert graph.store is None
        module._built.cache_clear()
    open_services().engine.dispose()


@pytest.mark.parametrize("thread_id", [None, "", "  "])
def test_case_31_an_empty_thread_id_is_refused(house: House, thread_id: Any) -> None:
    with house.graph() as (graph, _), pytest.raises(RefusedError, match="a thread_id is needed"):
        graph.invoke(house.start(), {"configurable": {"thread_id": thread_id}})
    assert house.ask("SELECT count(*) FROM batches") == [(0,)]


def test_case_31_another_tenants_review_and_thread_are_not_found(house: House) -> None:
    question = _pause(house)
    foreign = Settings(_env_file=None, home=house.settings.home, policy=house.settings.policy, tenant="other")
    from remembrancer.office import open_office

    with open_office(foreign) as office:
        with pytest.raises(NotFoundError):
            office.decide(question["review_id"], "approve", by="lin")
        with open_saver(foreign.checkpoints) as saver:
            graph = build_invoice_audit(office.services, checkpointer=saver)
            with pytest.raises(NotFoundError):
                graph.invoke(Command(resume=APPROVE), THREAD)
        office.services.engine.dispose()
    assert house.statuses() == {"booked": 3, "waiting": 1}


@pytest.mark.parametrize(
    ("good", "bad"),
    [("amount =", "amuont ="), ('"100000.00"', "100000.5"), ('"100000.00"', '"-1"'), ("[limits]", "[limit]")],
)
def test_case_33_a_bad_policy_stops_the_start(house: House, good: str, bad: str) -> None:
    text = house.papers.policy.read_text("utf-8")
    assert good in text
    house.papers.policy.write_text(text.replace(good, bad), "utf-8")
    with pytest.raises(PolicyError):
        load_policy(house.papers.policy)
    with house.office() as office, pytest.raises(UsageError):
        office.audit(house.start(), name="one")
    assert house.ask("SELECT count(*) FROM invoices") == [(0,)]


def test_case_35_what_was_rejected_is_not_booked_when_it_comes_again(house: House) -> None:
    (review_id,) = _reviews_in_threads(house)
    with house.office() as office:
        office.decide(review_id, "reject", by="lin", reason="forged")
        office.audit(house.start(), name="again")
    assert house.bookings() == 3
    assert house.statuses()["rejected"] == 1
    assert house.ask("SELECT count(*) FROM reviews WHERE status = 'open'") == [(0,)]


def test_case_37_a_refused_answer_leaves_the_review_in_the_queue(house: House) -> None:
    question = _pause(house)
    _reply(house, {"decisions": 7})
    with reading(house.services.engine) as connection:
        listed = [review.review_id for review in list_reviews(connection, house.services.tenant)]
    assert listed == [question["review_id"]]
    shown = json.loads(run_cli(house, "reviews", "--json").out)
    assert [one["review_id"] for one in shown] == listed


def test_case_41_the_third_equal_correction_that_fails_is_named_a_loop(make_house: MakeHouse) -> None:
    house = make_house(clean=0, doubtful=("broken_id",))
    question = _pause(house)
    wrong = question["action_requests"][0]["args"]["seller_tax_id"] + "0"
    edit = {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"seller_tax_id": wrong}}}
    kinds = [
        {trigger["kind"] for trigger in _reply(house, edit)["__interrupt__"][0].value["triggers"]} for _ in range(3)
    ]
    assert ["loop" in kind for kind in kinds] == [False, False, True]
    assert house.bookings() == 0
