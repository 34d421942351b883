"""Time, passed in: whoever needs the time takes a `Clock`. All times are aware and in UTC."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def as_utc(moment: datetime) -> datetime:
    """The same moment in UTC; a naive time is refused because nobody knows which moment it means.

    Raises:
        ValueError: `moment` has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone: pass an aware datetime")
    return moment.astimezone(UTC)
