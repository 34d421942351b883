"""A tenant's part of the store: what lies beside it is neither found, listed nor touched."""

from pathlib import Path

import pytest
from langgraph.store.base import InvalidNamespaceError

from memory.base_store import MemoryStore
from memory.rooted_store import RootedStore, label
from tests.telling import open_memory


@pytest.fixture
def stores(tmp_path: Path) -> tuple[RootedStore, RootedStore]:
    whole = MemoryStore(open_memory(tmp_path).engine)
    return RootedStore(whole, (label("acme.com"),)), RootedStore(whole, (label("other"),))


def test_each_finds_its_own_and_sees_no_root(stores: tuple[RootedStore, RootedStore]) -> None:
    acme, other = stores
    acme.put(("lin", "notes"), "diet", {"text": "allergic to mango"})
    other.put(("lin", "notes"), "diet", {"text": "loves mango"})
    item = acme.get(("lin", "notes"), "diet")
    assert item is not None
    assert (item.namespace, item.value) == (("lin", "notes"), {"text": "allergic to mango"})
    assert [one.value["text"] for one in acme.search((), query="mango")] == ["allergic to mango"]
    assert [one.value["text"] for one in other.search(("lin",))] == ["loves mango"]


def test_listing_begins_at_the_root(stores: tuple[RootedStore, RootedStore]) -> None:
    acme, other = stores
    acme.put(("lin", "notes"), "a", {"n": 1})
    acme.put(("wu", "notes", "old"), "b", {"n": 2})
    other.put(("zhao", "notes"), "c", {"n": 3})
    assert acme.list_namespaces() == [("lin", "notes"), ("wu", "notes", "old")]
    assert acme.list_namespaces(prefix=("wu",)) == [("wu", "notes", "old")]
    assert acme.list_namespaces(suffix=("notes",)) == [("lin", "notes")]
    assert acme.list_namespaces(max_depth=1) == [("lin",), ("wu",)]


def test_deleting_leaves_what_lies_beside(stores: tuple[RootedStore, RootedStore]) -> None:
    acme, other = stores
    for store in stores:
        store.put(("lin",), "diet", {"text": "mango"})
    acme.delete(("lin",), "diet")
    assert acme.get(("lin",), "diet") is None
    assert other.get(("lin",), "diet") is not None


def test_an_empty_namespace_stays_an_error(stores: tuple[RootedStore, RootedStore]) -> None:
    with pytest.raises(InvalidNamespaceError):
        stores[0].put((), "diet", {"text": "mango"})


def test_different_names_never_share_a_label() -> None:
    names = ["lin@example.com", "lin@example%2Ecom", "lin%40example.com", "a\x1fb", "a%1Fb"]
    assert len({label(name) for name in names}) == len(names)
    assert not any("." in label(name) for name in names)
