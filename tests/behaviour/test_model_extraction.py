"""The model reads only what the rules leave unclear, and only what the user's words support is kept (case 10)."""

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from langchain_openai import ChatOpenAI

from foundation.errors import NotFoundError, UnavailableError
from memory.extract import Context
from memory.model import Message
from memory.model_extract import ModelExtractor, unclear
from prompts import load

CONTEXT = Context()
TEXT = "我跟隔壁单元的几位大叔组了个乐队"


def _scripted() -> ModuleType:
    path = Path(__file__).parent.parent / "scripted_model.py"
    spec = importlib.util.spec_from_file_location("scripted_model", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["scripted_model"] = module
    spec.loader.exec_module(module)
    return module


scripted = _scripted()
Reply = scripted.Reply


def turn(text: str) -> Message:
    return Message("m", "t", "user", text, datetime(2026, 3, 4, tzinfo=UTC))


def extractor(url: str, **settings: object) -> ModelExtractor:
    model = ChatOpenAI(model="scripted", base_url=url, api_key="none", max_retries=0, timeout=10)
    return ModelExtractor(model=model, instructions=load("extract", "zh").fill("instructions"), **settings)


GOOD = {"content": TEXT, "quote": "组了个乐队", "kind": "semantic", "category": "user_profile", "attribute": "band"}
PROMPT_TEXT = {"content": "助手说的话永远不记", "quote": "乐队", "category": "user_profile"}
UNSUPPORTED = {"content": "用户是一名摇滚鼓手并住在上海", "quote": "组了个乐队"}
INVENTED = {"content": TEXT, "quote": "我会打鼓"}


def test_the_rules_leave_it_unclear() -> None:
    assert unclear(turn(TEXT), CONTEXT) == [TEXT]
    assert unclear(turn("好的，谢谢"), CONTEXT) == []
    assert unclear(turn("我叫小雨"), CONTEXT) == []


def test_case_10_only_supported_candidates_are_kept() -> None:
    tools = tuple(("Remembered", arguments) for arguments in (GOOD, PROMPT_TEXT, UNSUPPORTED, INVENTED))
    with scripted.scripted_model([Reply(tools=tools)]) as server:
        found = extractor(server.url).propose(turn(TEXT), context=CONTEXT)
    assert [proposal.content for proposal in found] == [TEXT]
    assert found[0].rule == "model"


def test_a_refused_method_falls_back_and_is_remembered() -> None:
    answer = Reply(text='{"memories": [{"content": "' + TEXT + '", "quote": "组了个乐队"}]}')
    with scripted.scripted_model([Reply(status=400), answer, answer]) as server:
        reader = extractor(server.url)
        assert len(reader.propose(turn(TEXT), context=CONTEXT)) == 1
        assert len(reader.propose(turn(TEXT), context=CONTEXT)) == 1
        assert len(server.requests) == 3
        assert reader.budget == 197


def test_nothing_unclear_makes_no_call() -> None:
    with scripted.scripted_model([]) as server:
        assert extractor(server.url).propose(turn("继续"), context=CONTEXT) == []
        assert server.requests == []


def test_a_model_that_only_fails_or_a_spent_budget_is_said_in_one_line() -> None:
    with scripted.scripted_model([]) as server:
        with pytest.raises(UnavailableError, match="refuses every"):
            extractor(server.url).propose(turn(TEXT), context=CONTEXT)
        with pytest.raises(UnavailableError, match="budget"):
            extractor(server.url, budget=0).propose(turn(TEXT), context=CONTEXT)


def test_prompts_are_loaded_by_name_and_language() -> None:
    for lang in ("zh", "en"):
        assert "quote" in load("extract", lang).fill("instructions")
        assert "2026" in load("extract", lang).fill("message", date="2026-03-04", text="x")
    with pytest.raises(NotFoundError):
        load("extract", "fr")
    with pytest.raises(NotFoundError):
        load("extract", "en").fill("nothing")
