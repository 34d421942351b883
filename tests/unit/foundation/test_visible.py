"""Control characters of a text from outside are seen, not obeyed."""

import json

import pytest

from foundation.visible import visible, visible_json, visible_line

STEERING = ["\x1b[2J", "\x9b31m", "\x07", "\r", "\x7f", "\u202eabc", "\u2066", "\u2028", "\U000e0041", "\ud800", "\x00"]


@pytest.mark.parametrize("text", STEERING)
def test_steering_characters_are_written_out(text: str):
    shown = visible(f"甲{text}乙")
    assert shown.isprintable()
    assert shown.startswith("甲\\")
    shown.encode("utf-8")


def test_words_of_all_scripts_emoji_tabs_and_lines_stay():
    text = "甲 قهوة \u200f 👩‍👩‍👧 café\tx\ny"
    assert visible(text) == text
    assert visible_line("a\nERROR forged") == "a\\nERROR forged"


@pytest.mark.parametrize("text", [*STEERING, '\U000e0041\n\t"\\'])
def test_json_stays_json_with_the_same_strings(text: str):
    document = visible_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(document) == {"text": text}
    assert document.encode("utf-8").isascii()
