"""A store inside a store: everything under one root that its users neither see nor can leave."""

from collections.abc import Iterable
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

_ESCAPED = {"%": "%25", ".": "%2E", "\0": "%00", "\x1f": "%1F"}


def label(name: str) -> str:
    """A name as one part of a namespace, which may hold no dot: `lin@example.com` is `lin@example%2Ecom`."""
    return "".join(_ESCAPED.get(character, character) for character in name)


class RootedStore(BaseStore):
    """The part of a store below `root`: a tenant's, say. What lies beside it is not found."""

    supports_ttl = True

    def __init__(self, inner: BaseStore, root: tuple[str, ...]) -> None:
        """`root`: the namespace that all others lie under."""
        self._inner = inner
        self._root = root
        self.ttl_config = inner.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations in order."""
        return [self._seen(result) for result in self._inner.batch([self._below(op) for op in ops])]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations in order, without holding up the event loop."""
        return [self._seen(result) for result in await self._inner.abatch([self._below(op) for op in ops])]

    def _below(self, op: Op) -> Op:
        if isinstance(op, GetOp | PutOp):
            # An empty namespace must stay an error: it must not become the root itself.
            return op._replace(namespace=self._root + op.namespace if op.namespace else ())
        if isinstance(op, SearchOp):
            return op._replace(namespace_prefix=self._root + op.namespace_prefix)
        return self._listing(op)

    def _listing(self, op: ListNamespacesOp) -> ListNamespacesOp:
        conditions = [
            each._replace(path=(*self._root, *each.path)) if each.match_type == "prefix" else each
            for each in op.match_conditions or ()
        ]
        rooted = (MatchCondition("prefix", self._root), *conditions)
        depth = op.max_depth and op.max_depth + len(self._root)
        return op._replace(match_conditions=rooted, max_depth=depth)

    def _seen(self, result: Any) -> Any:
        if isinstance(result, list):
            return [self._seen(each) for each in result]
        if isinstance(result, tuple):
            return result[len(self._root) :]
        if isinstance(result, Item):
            return self._item(result)
        return result

    def _item(self, item: Item) -> Item:
        values: dict[str, Any] = {name: getattr(item, name) for name in ("value", "key", "created_at", "updated_at")}
        values["namespace"] = item.namespace[len(self._root) :]
        return SearchItem(**values, score=item.score) if isinstance(item, SearchItem) else Item(**values)
