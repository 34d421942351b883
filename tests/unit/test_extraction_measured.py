"""The labelled utterances as a floor for what the benchmark prints; and no message breaks the rules."""

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.extraction import UTTERANCES, answers, harmless, run
from memory.extract import Context, propose
from memory.model import Message

ROWS = [json.loads(line) for line in UTTERANCES.read_text(encoding="utf-8").splitlines()]
CONTEXT = Context(zone=ZoneInfo("Asia/Shanghai"))
SAID_AT = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)


@pytest.mark.parametrize("split", ["frozen", "tuned"])
def test_precision_and_recall_stay_above_the_aim(split: str) -> None:
    right = proposed = found = wanted = 0
    for row in (row for row in ROWS if row["split"] == split):
        proposals, labels = run(row), row["labels"]
        proposed += len(proposals)
        wanted += len(labels)
        right += sum(any(answers(p, label) for label in labels) or harmless(p, row) for p in proposals)
        found += sum(any(answers(p, label) for p in proposals) for label in labels)
    assert right / proposed >= 0.95
    assert found / wanted >= 0.85


def test_nothing_secret_ordered_or_foreign_is_kept() -> None:
    for row in ROWS:
        if row["group"] in {"secret", "instruction", "injected", "assistant_words", "dont_remember", "code", "quote"}:
            kept = [p for p in run(row) if p.verb in {"add", "supersede"}]
            assert kept == [], row["id"]


def test_quotes_are_words_of_the_message_and_rules_have_names() -> None:
    for row in ROWS:
        for proposal in run(row):
            assert proposal.rule
            if "…" not in proposal.quote:
                assert proposal.quote in row["text"] or proposal.verb == "quarantine", row["id"]


ALPHABET = "我你他不喜欢爱吃对过敏是在的了住叫，。？\n《》“”I'm am allergic to my name is 0123456789😀\x00\ud800"
PIECES = ["我叫", "喜欢", "不", "I don't ", "like ", "每周", "下个月25号", "，", ". ", "?", '"', "忘掉", "记住"]
TEXTS = st.one_of(
    st.text(max_size=400),
    st.text(alphabet=ALPHABET, max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=80).map("".join),
)


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
def test_no_message_breaks_the_rules(text: str) -> None:
    for proposal in propose(Message("m", "t", "user", text, SAID_AT), context=CONTEXT):
        assert 0 <= proposal.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "\ud800",
        "我" * 100_000,
        "I like " * 15_000,
        "，" * 100_000,
        "《" * 100_000,
        "1" * 100_000,
        "每" * 50_000 + "周",
    ],
)
def test_very_long_and_empty_messages_come_back(text: str) -> None:
    assert isinstance(propose(Message("m", "t", "user", text, SAID_AT), context=CONTEXT), list)
