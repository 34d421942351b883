"""The LangGraph store: its contract, langmem's tools on it, and known faults of other stores (cases 37, 44, 46)."""

import asyncio
import warnings
from datetime import timedelta
from pathlib import Path

import pytest
from langgraph.store.base import InvalidNamespaceError, PutOp

from memory.base_store import MemoryStore
from tests.telling import START, WordVectors, open_memory

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports are older than LangGraph 1.0
    from langmem import create_manage_memory_tool, create_search_memory_tool


class Clock:
    now = START

    def __call__(self) -> object:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> MemoryStore:
    return MemoryStore(open_memory(tmp_path).engine, embedder=WordVectors(), clock=clock)  # type: ignore[arg-type]


def test_what_is_put_is_got_replaced_and_deleted(store: MemoryStore) -> None:
    store.put(("users", "lin"), "a", {"text": "我对芒果过敏", "n": 1})
    store.put(("users", "lin"), "a", {"text": "no more mangoes", "n": 2})
    item = store.get(("users", "lin"), "a")
    assert item is not None
    assert (item.value, item.namespace, item.key) == ({"text": "no more mangoes", "n": 2}, ("users", "lin"), "a")
    assert store.search(("users",), query="芒果")[0].score == pytest.approx(0, abs=0.2)
    store.delete(("users", "lin"), "a")
    assert store.get(("users", "lin"), "a") is None
    assert store.search(("users",)) == []


def test_case_32_the_nearest_comes_first_and_the_same_text_scores_one(store: MemoryStore) -> None:
    for key, text in (("far", "taxes are due in May"), ("near", "a whale near the coast"), ("exact", "whale sighting")):
        store.put(("notes",), key, {"text": text})
    found = store.search(("notes",), query="whale sighting")
    assert [item.key for item in found] == ["exact", "near", "far"]
    assert found[0].score is not None
    assert 0.99 <= found[0].score <= 1


def test_words_find_without_an_embedder(tmp_path: Path) -> None:
    store = MemoryStore(open_memory(tmp_path).engine)
    for key, text in (("a", "口令是蓝鲸"), ("b", "周末去爬山")):
        store.put(("notes",), key, {"text": text})
    found = store.search(("notes",), query="蓝鲸")
    assert [item.key for item in found] == ["a", "b"]
    assert [item.score for item in found] == [pytest.approx(0.75, abs=0.25), 0]


def test_a_question_is_embedded_as_a_question(tmp_path: Path) -> None:
    class Roles(WordVectors):
        def __init__(self) -> None:
            super().__init__()
            self.asked: list[str] = []

        def question(self, text: str) -> object:  # type: ignore[override]
            self.asked.append(text)
            return super().question(text)

    embedder = Roles()
    store = MemoryStore(open_memory(tmp_path).engine, embedder=embedder)
    store.put(("notes",), "a", {"text": "whale"})
    store.search(("notes",), query="whale?")
    assert embedder.asked == ["whale?"]


def test_case_37_what_expired_is_never_returned_even_before_a_sweep(store: MemoryStore, clock: Clock) -> None:
    store.put(("notes",), "a", {"text": "whale"}, ttl=1)
    store.put(("notes",), "b", {"text": "whale"})
    clock.now = START + timedelta(seconds=61)
    assert store.get(("notes",), "a") is None
    assert [item.key for item in store.search(("notes",), query="whale")] == ["b"]
    assert [item.key for item in store.search(("notes",))] == ["b"]
    assert (store.sweep(), store.sweep()) == (1, 0)


def test_reading_refreshes_the_time_to_live_unless_told_not_to(store: MemoryStore, clock: Clock) -> None:
    store.put(("notes",), "a", {"text": "whale"}, ttl=1)
    clock.now = START + timedelta(seconds=50)
    assert store.get(("notes",), "a", refresh_ttl=False)
    assert store.get(("notes",), "a")
    clock.now = START + timedelta(seconds=100)
    assert store.get(("notes",), "a", refresh_ttl=False)
    clock.now = START + timedelta(seconds=111)
    assert store.get(("notes",), "a") is None


@pytest.mark.parametrize("bad", [(), ("",), ("a.b",), ("a", ""), ("a\x1fb",)])
def test_case_46_deleting_validates_its_namespace_as_putting_does(store: MemoryStore, bad: tuple[str, ...]) -> None:
    for value in ({"text": "x"}, None):
        with pytest.raises(InvalidNamespaceError):
            store.batch([PutOp(bad, "k", value)])


def test_case_44_like_names_do_not_match_each_other(store: MemoryStore) -> None:
    for name in ("u_1", "u_10", "U_1", "u%1", "*"):
        store.put(("users", name), "a", {"text": name})
    for name in ("u_1", "U_1", "u%1", "*"):
        assert [item.value["text"] for item in store.search(("users", name), query=name)] == [name]
    assert store.search(("users", "u"), query="u") == []


def test_filters_compare_and_page(store: MemoryStore) -> None:
    for number in range(6):
        store.put(("notes",), f"k{number}", {"n": number, "kind": "even" if number % 2 == 0 else "odd"})
    assert {item.value["n"] for item in store.search(("notes",), filter={"kind": "even"})} == {0, 2, 4}
    assert {item.value["n"] for item in store.search(("notes",), filter={"n": {"$gte": 2, "$lt": 4}})} == {2, 3}
    pages = [store.search(("notes",), limit=2, offset=start) for start in (0, 2, 4)]
    assert len({item.key for page in pages for item in page}) == 6
    with pytest.raises(ValueError, match="operator"):
        store.search(("notes",), filter={"n": {"$regex": "x"}})


def test_namespaces_are_listed_by_prefix_suffix_and_depth(store: MemoryStore) -> None:
    for namespace in (("a", "b", "v1"), ("a", "c", "v1"), ("d", "v2")):
        store.put(namespace, "k", {"x": 1})
    assert store.list_namespaces(prefix=("a",)) == [("a", "b", "v1"), ("a", "c", "v1")]
    assert store.list_namespaces(suffix=("*", "v1")) == [("a", "b", "v1"), ("a", "c", "v1")]
    assert store.list_namespaces(max_depth=1) == [("a",), ("d",)]


def test_the_async_calls_do_the_same(store: MemoryStore) -> None:
    async def use() -> list[str]:
        await store.aput(("notes",), "a", {"text": "whale"})
        found = await store.asearch(("notes",), query="whale")
        await store.adelete(("notes",), "a")
        return [item.key for item in found]

    assert asyncio.run(use()) == ["a"]
    assert store.get(("notes",), "a") is None


def test_unindexed_values_are_kept_but_not_found_by_words(store: MemoryStore) -> None:
    store.put(("notes",), "a", {"text": "whale", "title": "x"}, index=False)
    store.put(("notes",), "b", {"text": "whale", "title": "taxes"}, index=["title"])
    scores = {item.key: item.score for item in store.search(("notes",), query="whale")}
    assert all(score is not None and score < 0.5 for score in scores.values())
    assert set(scores) == {"a", "b"}


def test_langmems_tools_work_on_it(store: MemoryStore) -> None:
    manage = create_manage_memory_tool(namespace=("memories", "lin"), store=store)
    search = create_search_memory_tool(namespace=("memories", "lin"), store=store)
    told = manage.invoke({"content": "The user is allergic to mangoes", "action": "create"})
    assert "created" in told
    assert "mangoes" in str(search.invoke({"query": "mangoes"}))
    key = store.search(("memories", "lin"))[0].key
    manage.invoke({"content": "The user is allergic to walnuts", "action": "update", "id": key})
    assert "walnuts" in str(search.invoke({"query": "allergic"}))
    manage.invoke({"action": "delete", "id": key})
    assert store.search(("memories", "lin")) == []
