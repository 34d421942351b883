"""What a command writes steers no terminal, whatever way it takes."""

import io
import logging
import sys

import pytest
import structlog
from rich.table import Table
from rich.text import Text

from remembrancer.cli.edge import GuardedStream, PlainConsole
from remembrancer.logs import DiscreetFormatter, discreet, log_to_stderr

HOSTILE = "甲\x1b]0;owned\x07\x1b[31m\x9b2J\u202e乙\rX"


def test_a_console_shows_text_cells_and_markup_with_colours_of_its_own_only():
    out = io.StringIO()
    console = PlainConsole(file=out, force_terminal=True, color_system="standard", width=200, highlight=False)
    table = Table("h")
    table.add_row(HOSTILE)
    console.print(Text(HOSTILE, style="bold"))
    console.print(HOSTILE, markup=False)
    console.print(table)
    written = out.getvalue()
    assert written.count("\\x1b]0;owned") == 3
    assert "\x1b[1m" in written
    for steering in ("\x1b]", "\x1b[31m", "\x9b", "\x07", "\u202e"):
        assert steering not in written


def test_a_guarded_stream_lets_colours_and_a_progress_bar_through_and_nothing_else():
    out = io.StringIO()
    stream = GuardedStream(out)
    stream.writelines(
        ["\x1b[1mbold\x1b[0m", "\x1b]52;c;ZXZpbA==\x07", "\x1bP", "\x9b2J", "\u2066", "\x1b[2K\r", "\ud800"]
    )
    written = out.getvalue()
    assert written.startswith("\x1b[1mbold\x1b[0m\\x1b]52;c;")
    assert written.endswith("\x1b[2K\r\\ud800")
    assert not any(steering in written for steering in ("\x1b]", "\x07", "\x1bP", "\x9b", "\u2066"))


def test_log_lines_mask_private_data_and_stay_one_line():
    event = discreet(None, "info", {"event": "手机13800000000", "file": "a\nERROR forged\x1b[2J", "more": {"card": ["4111 1111 1111 1111"]}, "count": 3})  # fmt: skip  # noqa: E501
    assert event == {"event": "手机[phone …00]", "file": "a\\nERROR forged\\x1b[2J", "more": {"card": ["[card …11]"]}, "count": 3}  # fmt: skip  # noqa: E501


def test_the_standard_librarys_log_lines_are_no_less_discreet():
    record = logging.LogRecord("memory", logging.WARNING, "", 0, "message %s is kept: 卡号 4111111111111111\x1b[2J", ("m1",), None)  # fmt: skip  # noqa: E501
    assert DiscreetFormatter("%(levelname)s %(message)s").format(record) == "WARNING message m1 is kept: 卡号 [card …11]\\x1b[2J"  # fmt: skip  # noqa: E501


def test_a_log_line_goes_to_the_standard_error_of_its_moment(monkeypatch: pytest.MonkeyPatch):
    aside, now = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", aside)
    log_to_stderr("WARNING")
    own, librarys = structlog.get_logger("own"), logging.getLogger("a.library")
    own.warning("first")
    aside.close()
    monkeypatch.setattr(sys, "stderr", now)
    own.warning("second")
    librarys.warning("third")
    assert "second" in now.getvalue()
    assert "WARNING a.library: third" in now.getvalue()
