"""What the page says: nothing that only a programmer reads, and each noun in its number."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from invoices.checks import CHECKS
from nodes.quarantine_matter import HeldStatus
from oversight.actions import ActionStatus
from oversight.due_times import STEPS
from oversight.limits import NAMES
from oversight.proposals import ProposalStatus
from remembrancer.inbox.reasons import place_in_words, plainly, source_in_words
from remembrancer.inbox.words import Words
from remembrancer.rule_sources import RULE_SOURCES

ROOT = Path(__file__).parents[3]
PACKAGES = ("graphs", "nodes", "memory", "oversight", "invoices", "foundation", "remembrancer")
ZH, EN = Words("zh"), Words("en")
NAMED_BY_STATUS = {
    "action": [status for status in ActionStatus if status is not ActionStatus.PROPOSED],
    "memory": [*HeldStatus, "forgotten"],
    "rule": [ProposalStatus.PROPOSED, ProposalStatus.ACCEPTED, ProposalStatus.DECLINED],
}


def _logged() -> Iterator[str]:
    """The events that the program writes into the audit log, where their names stand in the code."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) in {
                    "log",
                    "_log",
                }:
                    yield from (str(one.value) for one in node.args[1:4] if _is_event(one))
                # `event = "..."`, chosen by what happened, and logged below.
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "event":
                    yield from (str(one.value) for one in _choices(node.value))


def _choices(node: ast.expr) -> list[ast.Constant]:
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return [part for part in parts if _is_event(part)]


def _is_event(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in {"agent", ""}


def test_each_event_of_the_log_has_words_in_both_languages() -> None:
    named = {f"{what} {status}" for what, statuses in NAMED_BY_STATUS.items() for status in statuses}
    events = {*_logged(), *named, *(str(step.kind) for step in STEPS)}
    assert {"booked", "signed in", "asked the submitter", "legal hold placed"} <= events
    assert {event for event in events if EN.maybe(f"event.{event}", "") == ""} == set()


def test_each_limit_and_each_source_of_a_rule_has_words() -> None:
    assert [name for name in NAMES if EN.maybe(f"limit.{name}", "") == ""] == []
    sources = {check.source for check in CHECKS if any(part.islower() for part in check.source.split())}
    plain = {source for source in sources if not source.startswith(("EN 16931", "GB ", "ISO ", "UNTDID"))}
    assert sorted(plain - set(RULE_SOURCES)) == []
    assert source_in_words(ZH, "policy: register") == "公司政策：供应商名录"
    assert source_in_words(EN, "policy: register") == "policy: register"
    accepted = "policy: register; rule_0k3, accepted by chen"
    assert source_in_words(ZH, accepted) == "公司政策：供应商名录; chen 已采纳例外"
    assert source_in_words(EN, accepted) == "policy: register; an exception that chen accepted"


@pytest.mark.parametrize(
    ("where", "zh", "en"),
    [
        ("list.csv row 11 seller_tax_id", "第 11 行，销售方税号", "row 11, Seller tax id"),
        ("list.csv p.2", "第 2 页", "page 2"),
        ("list.csv EInvoiceData/SellerIdNum", "EInvoiceData/SellerIdNum", "EInvoiceData/SellerIdNum"),
    ],
)
def test_a_place_is_said_in_words(where: str, zh: str, en: str) -> None:
    assert place_in_words(ZH, where, "list.csv") == zh
    assert place_in_words(EN, where, "list.csv") == en


def test_a_message_is_shown_without_its_place() -> None:
    where = "list.csv row 11 seller_tax_id"
    assert plainly(f"税号有误（{where}）", [where]) == "税号有误"
    assert plainly(f"A wrong id ({where})", [where]) == "A wrong id"


def test_an_amount_in_a_message_is_grouped_and_an_id_is_not() -> None:
    assert plainly("金额 100000.00 是 1000.00 的整数倍", []) == "金额 100,000.00 是 1,000.00 的整数倍"
    assert plainly("number 2699009000.12x, 1,234.00", []) == "number 2699009000.12x, 1,234.00"


@pytest.mark.parametrize(("count", "said"), [(0, "0 items"), (1, "1 item"), (2, "2 items"), (1234, "1,234 items")])
def test_a_noun_stands_in_its_number(count: int, said: str) -> None:
    assert EN("queue.count", count=count) == said
