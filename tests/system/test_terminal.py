"""Control characters in cells and memories never reach the terminal, a log line or a page."""

import csv
from pathlib import Path

import pytest
import xlsxwriter

from tests.behaviour.test_reports import POLICY
from tests.system.test_cli import Shell
from tests.system.test_memory_cli import chat_file, line, shell  # noqa: F401 - the fixture

STEERING = ("\x1b", "\x9b", "\x07", "\u202e", "\u2066")
SELLER = "青禾\x9b2J\x1b]0;owned\x07\u202e供应商\u2066"
HEAD = ("number", "code", "date", "seller", "seller_tax_id", "buyer", "buyer_tax_id", "net", "tax", "total", "currency")
CELLS = ("26993736273169095081", "", "2026-10-03", SELLER, "919900007708035121", "青禾", "91990000801689098N", "100.00", "6.00", "999999.00", "CNY")  # fmt: skip  # noqa: E501


def as_csv(path: Path) -> str:
    with path.with_suffix(".csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([HEAD, CELLS])
    return str(path.with_suffix(".csv"))


def as_xlsx(path: Path) -> str:
    with xlsxwriter.Workbook(path.with_suffix(".xlsx")) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate((HEAD, CELLS)):
            for column, cell in enumerate(cells):
                sheet.write_string(row, column, cell)
    return str(path.with_suffix(".xlsx"))


def steered(text: str) -> list[str]:
    return [character for character in STEERING if character in text]


@pytest.mark.parametrize("write", [as_csv, as_xlsx])
def test_a_sellers_name_steers_neither_terminal_nor_report(shell: Shell, tmp_path: Path, write):  # noqa: F811
    (tmp_path / "policy.toml").write_text(POLICY, "utf-8")
    file = write(tmp_path / "list")
    written = [shell("audit", file, "--batch", "b", "--policy", str(tmp_path / "policy.toml"))]
    assert "供应商" in written[0].out + shell("reviews").out
    written += [shell("reviews"), shell("reviews", "--json"), shell("audit", file, "--batch", "b", "--json")]
    for done in written:
        assert steered(done.out + done.err) == []
    for name in ("html", "csv", "json"):
        shell("report", "b", "--format", name, "-o", str(tmp_path / f"report.{name}"))
        assert steered((tmp_path / f"report.{name}").read_text("utf-8-sig")) == []


def test_a_memory_steers_neither_terminal_nor_export(shell: Shell, tmp_path: Path):  # noqa: F811
    shell("remember", chat_file(tmp_path, line("m1", f"我喜欢{SELLER}的茶")))
    for command in (["list"], ["list", "--json"], ["export"], ["search", SELLER], ["search", "青禾", "--json"]):
        done = shell("memory", *command, "--user", "lin")
        assert "青禾" in done.out, command
        assert steered(done.out + done.err) == [], command


def test_an_error_that_quotes_a_control_character_stays_one_harmless_line(shell: Shell):  # noqa: F811
    done = shell("memory", "show", "mem_\x1b[2J\x9bX\nforged")
    assert done.code != 0
    assert steered(done.err) == []
    assert len(done.err.strip().splitlines()) == 1
