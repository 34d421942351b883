"""Cases 15, 16, 20, 42-44 of the field: nothing leaks between scopes, in any arm or call."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foundation.errors import NotFoundError, UsageError
from memory.model import Slot
from memory.scope import Scope
from memory.service import Memory
from tests.support.databases import rows
from tests.telling import LIN, WordVectors, at, current, found, open_memory, tell

HOSTILE = (
    "*",
    "%",
    "_",
    "' OR 1=1 --",
    "u_1",
    "u_10",
    "U1",
    "u1",
    "a:b",
    "a",
    "b",
    "１",
    "店",
    "x" * 200,
    "\u202e",
    "😀",
)


def _is_id(text: str) -> bool:
    return bool(text.strip()) and "\x00" not in text


ids = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=12).filter(_is_id))
scopes = st.one_of(
    st.builds(Scope.user, ids, ids), st.builds(Scope.tenant, ids), st.builds(Scope.user, ids, ids, topic=ids)
)
SECRET = "口令是蓝鲸, the whale opens it"
SLOT = Slot("user", "name")


@pytest.fixture(scope="module")
def memory() -> Memory:
    return open_memory(Path(tempfile.mkdtemp()), WordVectors())


@settings(max_examples=40, deadline=None)
@given(mine=scopes, other=scopes)
def test_cases_43_and_44_no_arm_and_no_call_crosses_pools(memory: Memory, mine: Scope, other: Scope) -> None:
    if not (_encodable(mine) and _encodable(other)) or mine.pool == other.pool:
        return
    kept = tell(memory, SECRET, scope=mine, slot=SLOT, value="蓝鲸", importance="critical", category="user_profile")
    assert [each.memory.content for each in memory.search(mine, "蓝鲸").recollections] == [SECRET]
    before = len(current(memory, other))
    for query in ("口令", "蓝鲸", "鲸", "whale", "我叫什么名字", SECRET, ""):
        assert not memory.search(other, query).recollections or before
        assert all(each.candidate.pool == other.pool for each in memory.explain(other, query))
    assert all(each.memory_id != kept.memory_id for each in memory.profile(other) + memory.recent(other))
    assert all(each.memory_id != kept.memory_id for each in memory.current(other))
    assert not any(str(kept.memory_id) in line for line in memory.export(other))
    for call in (memory.show, memory.history, memory.forget):
        with pytest.raises(NotFoundError):
            call(other, str(kept.memory_id))
    with pytest.raises(NotFoundError):
        memory.correct(other, str(kept.memory_id), "stolen")
    assert current(memory, replace(mine, topic=None)) == [SECRET]
    memory.forget(mine, str(kept.memory_id))


def _encodable(scope: Scope) -> bool:
    try:
        scope.pool.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in scope.pool


@pytest.mark.parametrize("bad", ["", "  ", None, 7, "x" * 201, "a\x00b"])
def test_case_44_a_scope_without_an_id_is_refused(bad: object) -> None:
    for make in (lambda: Scope.user("acme", bad), lambda: Scope.user(bad, "lin"), lambda: Scope.tenant(bad)):  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            make()


def test_a_search_without_a_scope_is_refused(memory: Memory) -> None:
    for bad in ([], "acme", None):
        with pytest.raises((UsageError, TypeError)):
            memory.search(bad, "anything")  # type: ignore[arg-type]


def test_several_pools_are_read_only_when_each_is_named(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    company = Scope.tenant("acme")
    tell(memory, "报销上限 500 元", scope=company)
    tell(memory, "我的报销卡是蓝色的")
    assert found(memory, "报销") == ["我的报销卡是蓝色的"]
    both = memory.search([LIN, company], "报销")
    assert {each.memory.content for each in both.recollections} == {"报销上限 500 元", "我的报销卡是蓝色的"}


def test_case_15_one_tenants_forgetting_leaves_the_others_copy(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    a, b = Scope.user("a", "lin"), Scope.user("b", "lin")
    mine = tell(memory, "我住在阳光花园3栋", scope=a)
    tell(memory, "我住在阳光花园3栋", scope=b)
    memory.forget(a, str(mine.memory_id))
    assert found(memory, "阳光花园", scope=a) == []
    assert found(memory, "阳光花园", scope=b) == ["我住在阳光花园3栋"]
    assert memory.examine(b).healthy


def test_case_16_forget_me_needs_its_confirmation_and_touches_nobody_else(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    a, b = Scope.user("acme", "u_1"), Scope.user("acme", "u_10")
    for scope in (a, b):
        for number in range(5):
            tell(memory, f"事实 {number} 关于颜色", scope=scope, when=at(number))
    stale = memory.forget_me_token(a)
    tell(memory, "又一件事", scope=a, when=at(9))
    for wrong in ("", "yes", stale, memory.forget_me_token(b)):
        with pytest.raises(Exception, match="confirmation"):
            memory.forget_me(a, confirm=wrong)
    assert (len(current(memory, a)), len(current(memory, b))) == (6, 5)
    receipt = memory.forget_me(a, confirm=memory.forget_me_token(a))
    assert receipt.counts["memories"] == (6, 0)
    assert receipt.counts["vectors"][1] == receipt.counts["postings"][1] == receipt.counts["events"][1] == 0
    assert (current(memory, a), len(current(memory, b))) == ([], 5)


def test_case_42_secrets_are_masked_before_they_reach_the_database(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    key = "sk-test-" + "a1B2" * 6
    tell(memory, f"我的密钥是 {key}")
    memory.close()
    query = "SELECT m.content, e.before, e.after FROM memories m JOIN memory_events e ON e.memory_id = m.memory_id"
    held = str(rows(tmp_path / "memory.db", query))
    held += "".join(file.read_bytes().decode("utf-8", "replace") for file in tmp_path.iterdir())
    assert key not in held
    assert "密钥" in held


def test_a_topic_is_read_with_the_general_but_not_with_other_topics(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    for topic, text in (
        (None, "缓存一般用 Redis"),
        ("小说", "Redis 是小说里的钢琴家"),
        ("后端", "后端的 Redis 是单节点"),
    ):
        tell(memory, text, topic=topic)
    seen = found(memory, "Redis", scope=LIN.about("后端"))
    assert set(seen) == {"缓存一般用 Redis", "后端的 Redis 是单节点"}
