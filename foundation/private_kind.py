"""What one kind of private text looks like: its shape, a test that it is one, and the words that stand near it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

NO_WORD_BEFORE = r"(?<![A-Za-z0-9])"
NO_WORD_AFTER = r"(?![A-Za-z0-9])"


def always(_: str) -> bool:
    """The shape alone is enough."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of text to hide: its name, where it may stand, and the test that it really is one."""

    name: str
    pattern: re.Pattern[str]
    """The group `hide`, where there is one, is what is hidden; else all of it."""
    holds: Callable[[str], bool] = always
    near: re.Pattern[str] | None = None
    """Words that must stand shortly before it."""
    not_near: re.Pattern[str] | None = None
    """Words before it that say it is something else: an order, a shipment, an invoice."""
    within: int = 16
    """How many characters before it `near` and `not_near` look at."""
    head: re.Pattern[str] | None = None
    """What belongs to it on the left."""
