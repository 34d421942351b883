"""What a person is asked, of each kind, as the program makes it: `python -m tests.support.payloads` writes them anew.

They are kept in `tests/data/golden`, so that a change of what other people's screens show is seen in review.
"""

import json
import re
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

from langgraph.types import Command

from oversight.action import Limits
from oversight.guarded import Toolbox, guarded
from remembrancer.models import chat_model
from remembrancer.settings import load_settings
from tests.scripted_model import Reply, scripted_model
from tests.support.house import THREAD, build_house
from tests.talking import Clock, Conversation, conversation

_DRAWN = re.compile(r"\b[a-z]{2,4}_[0-9a-z]{16}\b|(?<=\"digest\": \")[0-9a-f]{32}")
GOLDEN = Path(__file__).parents[1] / "data" / "golden"


def payloads(folder: Path) -> dict[str, dict[str, Any]]:
    """Name -> the interrupt's value."""
    for name in ("memory", "tool"):
        (folder / name).mkdir(parents=True)
    found = _of_invoices(folder / "invoices")
    return {**found, "memory": _of_memory(folder / "memory"), "tool": _of_tool(folder / "tool")}


def _of_invoices(folder: Path) -> dict[str, dict[str, Any]]:
    house = build_house(folder, clean=0, doubtful=("broken_id",))
    with house.graph() as (graph, _):
        asked = graph.invoke(house.start(batch="golden"), THREAD)["__interrupt__"][0].value
        again = graph.invoke(Command(resume="perhaps"), THREAD)["__interrupt__"][0].value
    house.close()
    return {"invoice": dict(asked), "refused": dict(again)}


def _of_memory(folder: Path) -> dict[str, Any]:
    with conversation(folder, ask_by="interrupt") as talk:
        talk.say("我坐飞机喜欢靠窗")
        return _asked(talk, "我坐飞机喜欢过道")


def _of_tool(folder: Path) -> dict[str, Any]:
    def transfer(to: str, amount: float) -> str:
        """Transfer money."""
        raise AssertionError(f"{amount} went to {to} without anybody's approval")

    proposal = Reply(tools=(("transfer", {"to": "Wang", "amount": 20_000, "confidence": 0.95}),))
    with scripted_model([proposal]) as model:
        settings = load_settings(_env_file=None, openai_base_url=model.url, model_retries=0)
        limits = Limits(amount=Decimal(500), confidence=Decimal("0.8"))
        tools = Toolbox.of([guarded(transfer, risk="transfer", amount="amount", recipient="to")], limits)
        with conversation(folder, clock=Clock(), model=chat_model(settings), tools=tools) as talk:
            return _asked(talk, "给老王转两万")


def _asked(talk: Conversation, text: str) -> dict[str, Any]:
    config = talk.config("t1", "lin")
    talk.graph.invoke({"messages": [("user", text)]}, config)
    return dict(talk.graph.get_state(config).interrupts[0].value)


def settled(value: Any) -> str:
    """The payload as text, with ids that are drawn anew each time numbered in the order in which they come."""
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    numbers: dict[str, str] = {}
    for found in _DRAWN.findall(text):
        numbers.setdefault(found, f"{found.partition('_')[0] if '_' in found else 'digest'}_{len(numbers) + 1}")
    return _DRAWN.sub(lambda match: numbers[match[0]], text)


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        for name, value in payloads(Path(made)).items():
            (GOLDEN / f"{name}.json").write_text(settled(value), "utf-8")
