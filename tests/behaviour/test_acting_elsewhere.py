"""Another LangGraph project puts the triggers round its own tools."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from foundation.database import reading
from foundation.errors import RefusedError, SettingsError, UsageError
from oversight.reviews import list_reviews
from remembrancer import ActingState, add_acting, guarded, load_settings, open_office, open_saver, open_services
from remembrancer.settings import Settings

THREAD: Any = {"configurable": {"thread_id": "shop-1"}}
SHIPPED: list[str] = []


def ship(order: str, value: float) -> str:
    """Ship an order."""
    SHIPPED.append(order)
    return f"{order} is on its way"


TOOLS = [guarded(ship, risk="transfer", amount="value")]


class ShopState(MessagesState, ActingState):
    """What the shop's own graph keeps, and what acting needs beside it."""


def clerk(state: ShopState) -> dict[str, Any]:
    """The shop's agent, whatever it is: it proposes once, and then tells what came of it."""
    if isinstance(state["messages"][-1], ToolMessage):
        return {"messages": [AIMessage(f"So: {state['messages'][-1].text}")]}
    call = {"name": "ship", "args": {"order": "A-7", "value": 900}, "id": "c1", "type": "tool_call"}
    return {"messages": [AIMessage("", tool_calls=[call])]}


@pytest.mark.parametrize(
    ("answer", "shipped", "said"),
    [
        ({"decisions": [{"type": "approve"}]}, ["A-7"], "So: A-7 is on its way"),
        ({"decisions": [{"type": "respond", "message": "picked up"}]}, [], "So: picked up"),
    ],
)
def test_a_graph_of_somebody_else_asks_before_its_own_tools_run(
    tmp_path: Path, answer: Any, shipped: list[str], said: str
) -> None:
    SHIPPED.clear()
    settings = Settings(_env_file=None, home=tmp_path / "home")
    services = open_services(settings, tools=TOOLS)
    graph = StateGraph(ShopState)
    graph.add_node("clerk", clerk)
    graph.add_edge(START, "clerk")
    add_acting(graph, services, after="clerk", then=END, kind="shop")
    with open_saver(settings.checkpoints) as saver:
        compiled = graph.compile(checkpointer=saver)
        asked = compiled.invoke({"messages": [("user", "Ship A-7")]}, THREAD, durability="sync")
        assert asked["__interrupt__"][0].value["triggers"][0]["rule"] == "amount_limit"
        assert SHIPPED == []
        with reading(services.engine) as connection:
            (review,) = list_reviews(connection, services.tenant)
        with open_office(settings) as office, pytest.raises(RefusedError, match="program of its own"):
            office.decide(review.review_id, "approve", by="wu")
        done = compiled.invoke(Command(resume=answer), THREAD, durability="sync")
    assert (SHIPPED, done["messages"][-1].text) == (shipped, said)
    services.engine.dispose()


def test_a_mark_that_fits_no_tool_is_refused_when_it_is_made() -> None:
    with pytest.raises(UsageError, match="no risk"):
        guarded(ship, risk="dangerous")
    with pytest.raises(UsageError, match="no argument sum"):
        guarded(ship, risk="transfer", amount="sum")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TOOLS", "nowhere:TOOLS", "can't be loaded"),
        ("TOOLS", "examples.tools", "write module:list"),
        ("ACTIONS__AMOUNT", "much", "REMEMBRANCER_ACTIONS__AMOUNT"),
        ("ACTIONS__FORBIDDEN", "word", "as JSON"),
        ("ACTIONS", '{"amuont": 5}', "REMEMBRANCER_ACTIONS__AMUONT"),
    ],
)
def test_a_wrong_setting_of_the_tools_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"REMEMBRANCER_{name}", value)
    with pytest.raises(SettingsError, match=said):
        open_services(load_settings())


def test_the_limits_come_from_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_ACTIONS__FORBIDDEN", '["回扣"]')
    monkeypatch.setenv("REMEMBRANCER_ACTIONS__BUDGET", "1000")
    limits = load_settings().actions.limits()
    assert (limits.forbidden, limits.budget, limits.amount) == (("回扣",), 1000, 500)
