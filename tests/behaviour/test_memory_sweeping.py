"""Passive forgetting: age, use and capacity, by three verbs, in batches that no writer waits for."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import event, select, update

from foundation.database import reading, writing
from foundation.errors import NotFoundError, UsageError
from memory import dropping, relations
from memory.defaults import Forgetting
from memory.model import Message
from memory.scope import Scope, prefix_ranges
from memory.service import Memory
from memory.store import Pen
from memory.sweeping import Sweeper, due, least, rules
from memory.tables import entities, memories, postings, sources, vectors
from tests.telling import LIN, WordVectors, at, current, open_memory, proposal, tell

NOW = at(days=400)
QUIET = Forgetting(pause_seconds=0)
WANG = Scope.user("acme", "wang")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


def aged(memory: Memory, days: float, text: str = "", **said: object) -> str:
    when = at(days=400 - days)
    return str(tell(memory, text or f"说于{days}天前的事", when=when, thread=f"t{days}", **said).memory_id)  # type: ignore[arg-type]


def used(memory: Memory, memory_id: str, times: int, days_ago: float) -> None:
    with writing(memory.engine) as connection:
        connection.execute(
            update(memories)
            .where(memories.c.memory_id == memory_id)
            .values(access_count=times, last_accessed_at=at(days=400 - days_ago))
        )


def test_case_26_what_was_not_used_for_90_days_goes_and_nothing_younger(memory: Memory) -> None:
    ids = {days: aged(memory, days) for days in (10, 89, 90, 91, 400)}
    taken = memory.sweep("acme", settings=Forgetting(verb="hard", monthly_uses=0, pause_seconds=0), now=NOW)
    assert taken["unused"] == 3
    assert {each.memory_id for each in memory.current(LIN, now=NOW)} == {ids[10], ids[89]}
    with pytest.raises(NotFoundError):
        memory.show(LIN, ids[400])
    (told,) = [event for event in memory.history(LIN, ids[400]) if event.what == "forgotten"]
    assert (told.rule, told.reason, told.before) == ("sweep.unused", "not used for 90 days", None)


@pytest.mark.parametrize("name", ["unused_days", "seldom_after_days", "monthly_uses"])
def test_case_26_negative_numbers_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="can't be negative"):
        Forgetting(**{name: -90})
    with pytest.raises(UsageError, match="at least 1"):
        Forgetting(capacity=0)


def test_less_than_one_use_a_month_is_seldom_once_old_enough(memory: Memory) -> None:
    often, seldom, young = aged(memory, 300), aged(memory, 301), aged(memory, 80)
    used(memory, often, 11, 40)
    used(memory, seldom, 3, 40)
    used(memory, young, 0, 5)
    taken = memory.sweep("acme", settings=Forgetting(verb="soft", pause_seconds=0), now=NOW)
    assert (taken["unused"], taken["seldom"]) == (0, 1)
    assert memory.show(LIN, seldom).status == "expired"
    assert memory.history(LIN, seldom)[-1].reason == "used less than 1 times a month"
    assert {each.memory_id for each in memory.current(LIN, now=NOW)} == {often, young}


def test_critical_facts_are_exempt_however_long_nobody_asked(memory: Memory) -> None:
    kept = aged(memory, 399, "我对芒果过敏", importance="critical", category="user_profile")
    memory.sweep("acme", settings=Forgetting(verb="hard", pause_seconds=0), now=NOW)
    assert memory.show(LIN, kept).status == "current"


def test_a_down_weighted_memory_ranks_lower_and_recovers_when_it_is_used(memory: Memory) -> None:
    old = aged(memory, 200, "绿茶要热的，早上喝绿茶")
    new = aged(memory, 1, "绿茶要冰的")
    first = [each.memory.memory_id for each in memory.search(LIN, "早上喝绿茶", now=NOW, k=1).recollections]
    assert first == [old]
    memory.flush()
    used(memory, old, 0, 200)
    assert memory.sweep("acme", settings=QUIET, now=NOW)["unused"] == 1
    assert memory.sweep("acme", settings=QUIET, now=NOW)["unused"] == 0
    listed = [each.memory.memory_id for each in memory.search(LIN, "早上喝绿茶", now=NOW).recollections]
    assert listed == [new, old]
    assert memory.sweep("acme", settings=QUIET, now=NOW)["unused"] == 0
    listed = [each.memory.memory_id for each in memory.search(LIN, "早上喝绿茶", now=NOW).recollections]
    assert listed == [old, new]


def test_over_the_capacity_the_least_important_then_least_used_then_oldest_go(memory: Memory) -> None:
    critical = aged(memory, 50, importance="critical")
    busy, idle_old, idle_new = aged(memory, 40), aged(memory, 30), aged(memory, 20)
    low = aged(memory, 10)
    with writing(memory.engine) as connection:
        connection.execute(update(memories).where(memories.c.memory_id == low).values(importance="low"))
    other = str(tell(memory, "王的事", scope=WANG, when=at(days=399)).memory_id)
    used(memory, busy, 4, 1)
    left = {critical, busy, idle_old, idle_new, low, other}
    for capacity, gone in ((5, low), (4, idle_old), (3, idle_new), (2, other), (1, busy)):
        taken = memory.sweep("acme", settings=Forgetting(capacity=capacity, pause_seconds=0), now=NOW)
        assert (capacity, taken["capacity"]) == (capacity, 1)
        left -= {gone}
        everybody = memory.current(LIN, now=NOW) + memory.current(WANG, now=NOW)
        assert {each.memory_id for each in everybody} == left
    assert memory.doctor(LIN).healthy


def test_another_tenants_memories_are_not_counted_and_not_touched(memory: Memory) -> None:
    other = Scope.user("acme2", "lin")
    tell(memory, "别家的事", scope=other, when=at(days=1))
    aged(memory, 200)
    taken = memory.sweep("acme", settings=Forgetting(verb="hard", capacity=1, pause_seconds=0), now=NOW)
    assert (taken["unused"], taken["capacity"]) == (1, 0)
    assert current(memory, other, NOW) == ["别家的事"]


def test_a_pool_under_a_legal_hold_is_left_alone(memory: Memory) -> None:
    aged(memory, 200)
    memory.hold(LIN, reason="lawsuit", by="counsel", until=at(days=401), now=NOW)
    hard = Forgetting(verb="hard", pause_seconds=0)
    assert memory.sweep("acme", settings=hard, now=NOW)["unused"] == 0
    assert memory.sweep("acme", settings=hard, now=at(days=402))["unused"] == 1


def test_what_a_hold_kept_is_erased_when_the_hold_is_over(memory: Memory) -> None:
    kept = aged(memory, 20)
    memory.hold(LIN, reason="lawsuit", by="counsel", until=at(days=401), now=NOW)
    assert "lawsuit" in memory.forget(LIN, kept, now=NOW).retained["memories"]
    assert memory.sweep("acme", settings=QUIET, now=NOW)["held"] == 0
    assert memory.sweep("acme", settings=QUIET, now=at(days=402))["held"] == 1
    with memory.engine.connect() as connection:
        assert connection.execute(memories.select()).all() == []


def test_case_55_twenty_writers_write_while_a_sweep_runs(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    said = Message("m", "t", "user", "旧事", at(days=1))
    old = [proposal(f"旧事第{number}件，那天{number}点", expires_at=at(days=2)) for number in range(120)]
    memory.apply(LIN, said, old, now=at(days=1))
    assert len(memory.current(LIN, now=at(days=1))) == 120
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            tell(memory, f"第{number}人的新事", scope=Scope.user("acme", f"u{number}"), when=NOW)
        except BaseException as error:
            failures.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    for writer in writers:
        writer.start()
    taken = memory.sweep("acme", settings=Forgetting(batch=10, pause_seconds=0.002), now=NOW)
    for writer in writers:
        writer.join(60)
    assert failures == []
    assert taken["expired"] == 120
    written = [len(memory.current(Scope.user("acme", f"u{number}"), now=NOW)) for number in range(20)]
    assert written == [1] * 20


def many_small_pools(memory: Memory, people: int) -> None:
    for number in range(people):
        scope = Scope.user("acme", f"u{number:03}")
        said = Message(f"m{number}", "t", "user", "旧事", at(days=1))
        told = [proposal(f"{number}号的旧事{each}", expires_at=at(days=2)) for each in range(3)]
        memory.apply(scope, said, told, now=at(days=1))


def test_many_pools_share_a_transaction_and_none_has_more_than_its_batch(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    many_small_pools(memory, 40)
    sizes: list[int] = []

    def count(connection: object, cursor: object, statement: str, given: object, context: object, many: bool) -> None:
        if statement.startswith("INSERT INTO memory_events"):
            sizes.append(len(given) if many else 1)  # type: ignore[arg-type]

    event.listen(memory.engine, "before_cursor_execute", count)
    capacity = Forgetting(capacity=10, batch=30, pause_seconds=0, batch_seconds=60)
    taken = memory.sweep("acme", settings=capacity, now=at(days=1))
    assert taken["capacity"] == 110
    assert sizes == [1, 1, 2, 4, 8, 14, 15, 15, 15, 15, 15, 5]
    assert all(memory.doctor(Scope.user("acme", f"u{number:03}")).healthy for number in range(40))


def test_a_batch_ends_before_it_lasts_too_long(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    many_small_pools(memory, 12)
    clock = iter(range(10_000))
    pauses: list[float] = []
    settings = Forgetting(batch=16, pause_seconds=0.25)

    def pen_of(connection: object, pool: str) -> Pen:
        return Pen(connection, pool, at(days=3))  # type: ignore[arg-type]

    sweeper = Sweeper(memory.engine, settings, pen_of, pauses.append, lambda: float(next(clock)))
    assert sweeper.sweep("acme", at(days=3))["expired"] == 36
    assert pauses == [0.25] * 36, "each takes a second of the clock: one at a time"


def test_a_dropped_memory_leaves_no_row_in_any_table_but_its_line_of_history(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    tell(memory, "Lin works on Apollo", when=at(days=1))
    tell(memory, "Apollo uses React", when=at(days=2), thread="t2")
    memory.sweep("acme", settings=Forgetting(capacity=1, pause_seconds=0), now=NOW)
    with reading(memory.engine) as connection:
        assert connection.execute(select(memories.c.content)).scalars().all() == ["Apollo uses React"]
        assert set(connection.execute(select(entities.c.name)).scalars()) == {"Apollo", "React"}
        for column in (sources.c.memory_id, postings.c.document, vectors.c.document):
            assert len(set(connection.execute(select(column)).scalars())) == 1
    memory.sweep("acme", settings=Forgetting(verb="hard", monthly_uses=0, pause_seconds=0), now=NOW)
    with reading(memory.engine) as connection:
        for table in (memories, entities, relations.relations, sources, postings, vectors):
            assert connection.execute(select(table)).all() == []
    assert memory.doctor(LIN).healthy


def test_what_a_hold_keeps_doesnt_keep_others_from_the_capacity(memory: Memory) -> None:
    tell(memory, "王的旧事", scope=WANG, when=at(days=1))
    memory.hold(WANG, reason="lawsuit", by="counsel", now=NOW)
    ids = [aged(memory, days) for days in (30, 20, 10)]
    assert memory.sweep("acme", settings=Forgetting(capacity=2, pause_seconds=0), now=NOW)["capacity"] == 2
    assert [each.memory_id for each in memory.current(LIN, now=NOW)] == ids[2:]
    assert len(memory.current(WANG, now=NOW)) == 1


def test_no_statement_of_a_sweep_walks_over_a_whole_table(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    (start, end), _ = prefix_ranges("acme")
    asked = [due(rules(Forgetting(), NOW), end, (start, at(), ""), NOW), least("acme", NOW)]
    changed = [*dropping.DROPPING, *dropping.deletions(), relations.DROP_LONELY]
    with memory.engine.connect() as connection:
        for statement in (*asked, *changed):
            compiled = statement.compile(memory.engine, compile_kwargs={"render_postcompile": True})
            sql = f"EXPLAIN QUERY PLAN {compiled}"
            plan = [row[3] for row in connection.exec_driver_sql(sql, ("1",) * sql.count("?")).all()]
            # Holds are few, and a temporary list is no table.
            assert [line for line in plan if line.startswith("SCAN") and "legal_holds" not in line] == [], sql
            assert [line for line in plan if line.startswith("SEARCH memory_sources") and "(pool=?)" in line] == [], sql
