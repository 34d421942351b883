"""How logs are written: one line an event on standard error, private data masked, control characters visible."""

import logging
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, TextIO, cast

import structlog

from foundation.masking import PERSONAL, mask
from foundation.visible import visible_line


class StandardError:
    """Standard error as it is at each line: a stream that was set aside for a while isn't written to afterwards."""

    def write(self, text: str) -> int:
        """Write `text`; returns its length."""
        return sys.stderr.write(text)

    def flush(self) -> None:
        """Let out what was written."""
        sys.stderr.flush()


def log_to_stderr(level: str) -> None:
    """Send structlog's events and the standard library's to standard error, from `level` on."""
    least = logging.getLevelNamesMapping()[level]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            discreet,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, StandardError())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(StandardError())
    handler.setFormatter(DiscreetFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=least, handlers=[handler], force=True)


def discreet(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: each text of the event without private data, on one line."""
    for name, value in event.items():
        event[name] = _plain(value)
    return event


class DiscreetFormatter(logging.Formatter):
    """The same for the standard library's logging; a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The record's line without private data."""
        return _text(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """The traceback, line by line without private data."""
        return "\n".join(map(_text, super().formatException(ei).splitlines()))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | bool | None) else _text(str(value))


def _text(text: str) -> str:
    return visible_line(mask(text, PERSONAL))
