"""The transcripts in docs/ are what the program says today."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def words(lines: list[str]) -> list[str]:
    """What is sure: what was said, stored and asked, and recalled by words. A vector near its gate falls either way."""
    unsure = re.compile(r"\[vector(, neighbour)?\]|^> - |^> (我记得|What I remember|好的。这里|All right\.)")
    return [re.sub(r"\[.*", "", line).rstrip() for line in lines if line.strip() and not unsure.search(line)]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_transcript_is_what_the_program_says(lang: str, monkeypatch: pytest.MonkeyPatch):
    for name in ("REMEMBRANCER_EMBEDDER", "REMEMBRANCER_ASK_BY"):
        monkeypatch.delenv(name, raising=False)
    spec = importlib.util.spec_from_file_location("make_transcripts", ROOT / "docs" / "make_transcripts.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "make_transcripts", made)
    spec.loader.exec_module(made)
    page = {"zh": made.ZH, "en": made.EN}[lang]
    written = (ROOT / "docs" / "transcripts" / f"{lang}.md").read_text("utf-8").splitlines()
    assert words([line for part in made._lines(page) for line in part.splitlines() or [""]]) == words(written)
