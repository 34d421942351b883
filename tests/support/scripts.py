"""Small scripts that tests run in processes of their own, as a user of the library would write them."""

import json
from typing import Any

from langgraph.types import Command

from foundation.errors import RemembrancerError
from tests.support.house import THREAD


def answer(*answers: Any) -> None:
    """Open the checkpoint file, answer the waiting question with each answer in turn, and print what came of it."""
    from remembrancer import build_invoice_audit, load_settings, open_saver, open_services

    settings = load_settings()
    with open_saver(settings.checkpoints) as saver:
        graph = build_invoice_audit(open_services(settings), checkpointer=saver)
        results = [graph.invoke(Command(resume=given), THREAD) for given in answers]
    questions = [[one.value for one in result.get("__interrupt__", ())] for result in results]
    print(json.dumps({"questions": questions, "counts": results[-1].get("counts")}))


def begin(start: dict[str, Any]) -> None:
    """Send new input to the thread, and print the error if there is one."""
    from remembrancer import build_invoice_audit, load_settings, open_saver, open_services

    settings = load_settings()
    with open_saver(settings.checkpoints) as saver:
        graph = build_invoice_audit(open_services(settings), checkpointer=saver)
        try:
            graph.invoke(start, THREAD)
        except RemembrancerError as error:
            print(type(error).__name__, error)
