"""Cutting long sequences into pieces."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in order, at most `size` at a time."""
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some
