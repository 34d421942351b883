"""The edge to the terminal: whatever a command writes, by whatever way, steers nothing.

Two layers. A console makes the control characters of what it is given visible before it adds colours of its own. The
streams let through nothing but colours and the cursor moves of a progress bar, so that what goes past the console is
stopped there.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from foundation.visible import visible

_OWN = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[hl]|[0-9]*[A-DGJK])|\r")
"""Colours, cursor visibility, cursor moves and erasing: what a progress bar needs."""


class PlainConsole(Console):
    """A console whose colours are its own: no control character of a text gets through."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is shown, with the control characters in them made visible."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class GuardedStream:
    """A text stream that writes colours as they are and every other control character visibly."""

    def __init__(self, stream: TextIO) -> None:
        """Guard `stream`; everything but writing is left to it."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text`; returns its length."""
        at, parts = 0, []
        for own in _OWN.finditer(text):
            parts += [visible(text[at : own.start()]), own.group()]
            at = own.end()
        self._stream.write("".join([*parts, visible(text[at:])]))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Standard output and standard error behind a guard while a command runs."""
    plain = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = GuardedStream(plain[0]), GuardedStream(plain[1])
    try:
        yield
    finally:
        sys.stdout, sys.stderr = plain
