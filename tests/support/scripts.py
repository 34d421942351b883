"""Small scripts that tests run in processes of their own, as a user of the library would write them."""

import json
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

from langgraph.types import Command
from sqlalchemy import Connection, update

from foundation.clock import utc_now
from foundation.database import reading
from foundation.errors import RemembrancerError
from oversight.action import DecisionKind
from oversight.reviews import Decision, ReviewStatus, find_review
from tests.support.house import THREAD
from tests.support.processes import wait_for


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


def wait_for_an_answer(start: dict[str, Any]) -> None:
    """Run the graph to its question, say so, and live on until somebody kills it."""
    from remembrancer import build_invoice_audit, load_settings, open_saver, open_services

    settings = load_settings()
    with open_saver(settings.checkpoints) as saver:
        graph = build_invoice_audit(open_services(settings), checkpointer=saver)
        graph.invoke(start, THREAD)
        print("waiting", flush=True)
        signal.pause()


def answer_later(days: int, given: Any) -> None:
    """The answer of a process whose clock is so many days ahead; prints the counts."""
    from remembrancer import build_invoice_audit, load_settings, open_saver, open_services

    settings = load_settings()
    services = open_services(settings, lambda: utc_now() + timedelta(days=days))
    with open_saver(settings.checkpoints) as saver:
        result = build_invoice_audit(services, checkpointer=saver).invoke(Command(resume=given), THREAD)
    print(json.dumps(result["counts"]))


def decide_at_the_shot(gun: Path, review_ids: list[str], kind: DecisionKind, by: str) -> None:
    """Decide one review after the other, each at its shot and under a name of its own; print how each ended."""
    from remembrancer import load_settings, open_office

    with open_office(load_settings(), sweep=False) as office:
        print("ready", flush=True)
        for number, review_id in enumerate(review_ids):
            wait_for(gun / f"{number}")
            try:
                edits = _known_correction(office, review_id) if kind == "edit" else None
                office.decide(review_id, kind, by=f"{by}-{number}", reason="at the same moment", edits=edits)
                print("asked" if kind == "respond" else "won", flush=True)
            except RemembrancerError as error:
                print(f"{type(error).__name__} {error}", flush=True)


def _known_correction(office: Any, review_id: str) -> dict[str, str]:
    """The seller's tax id as the register knows it."""
    with reading(office.services.engine) as connection:
        findings = find_review(connection, office.services.tenant, review_id).question["evidence"]["findings"]
    known = [one["value"] for finding in findings for one in finding["candidates"] if one["known"]]
    return {"seller_tax_id": known[0]}


def decide_always_winning(gun: Path, review_ids: list[str], kind: DecisionKind, by: str) -> None:
    """The same with the compare-and-set taken away: every decision wins."""
    import nodes.apply
    import remembrancer.taking
    from oversight.reviews import record
    from oversight.tables import reviews

    def always(connection: Connection, decision: Decision) -> Decision:
        mine = {"status": ReviewStatus.DECIDED, "decision_id": decision.decision_id}
        connection.execute(update(reviews).where(reviews.c.review_id == decision.review_id).values(mine))
        record(connection, decision, taken=True)
        return decision

    for module in (nodes.apply, remembrancer.taking):
        module.take = always  # type: ignore[attr-defined]
    decide_at_the_shot(gun, review_ids, kind, by)


def answer_at_the_shot(gun: Path, threads: list[str], kind: DecisionKind) -> None:
    """Answer one thread after the other by `graph.invoke` alone, past the desk and its locks."""
    from remembrancer import build_invoice_review, load_settings, open_saver, open_services

    settings = load_settings()
    with open_saver(settings.checkpoints) as saver:
        graph = build_invoice_review(open_services(settings), checkpointer=saver)
        print("ready", flush=True)
        for number, thread_id in enumerate(threads):
            wait_for(gun / f"{number}")
            config = {"configurable": {"thread_id": thread_id}}
            try:
                result = graph.invoke(Command(resume={"type": kind, "message": "at the same moment"}), config)
                print(json.dumps(result.get("last")), flush=True)
            except RemembrancerError as error:
                print(type(error).__name__, flush=True)
