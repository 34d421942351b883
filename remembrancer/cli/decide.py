"""`remembrancer decide`: answer one review."""

from typing import Annotated, Literal

import typer

from foundation.errors import UsageError
from oversight.action import DecisionKind
from oversight.actions import ActionStatus
from oversight.question import in_language
from remembrancer.cli.shared import WAITS_FOR_A_PERSON, Terminal, print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.settled import Settled


def decide(
    context: typer.Context,
    review: Annotated[str, typer.Argument(help="The review's id, as `remembrancer reviews` lists it.")],
    decision: Annotated[Literal["approve", "reject", "edit", "respond"], typer.Argument(help="What to do.")],
    reason: Annotated[str, typer.Option(help="Why (a rejection needs one); with respond: what to ask.")] = "",
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="With edit: FIELD=VALUE, once for each field.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who decides (default: this account).")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Approve, reject or edit what waits; ask an invoice's submitter, or answer in place of the assistant's tool."""
    terminal = terminal_of(context)
    if decision == "reject" and not reason.strip():
        raise UsageError("a rejection needs a reason: add --reason TEXT")
    with open_office(terminal.settings) as office:
        person = by or office.services.account
        settled = office.decide(review, decision, by=person, reason=reason, edits=_edits(changes or []))
    if as_json:
        print_json(
            {
                "review_id": review,
                "decision": decision,
                "decided_by": person,
                "review_status": str(settled.review.status),
                "invoice_id": settled.review.subject,
                "invoice_status": str(settled.status),
                "still_open": settled.still_open,
            }
        )
    else:
        terminal.console.print(_told(settled, decision, person, terminal), soft_wrap=True)
    if settled.still_open and decision != "respond":
        raise typer.Exit(WAITS_FOR_A_PERSON)


def _told(settled: Settled, decision: DecisionKind, person: str, terminal: Terminal) -> str:
    say, review_id = terminal.say, settled.review.review_id
    if isinstance(settled.status, ActionStatus) and not settled.still_open:
        done = say(f"decision.{decision}") if decision != "respond" else say("decision.answered")
        standing = say(f"action.{settled.status}")
        return say("decide.acted", review=review_id, by=person, decision=done, status=standing)
    if decision == "respond":
        return say("decide.asked", review=review_id)
    if settled.still_open:
        return say("decide.open", review=review_id, why=in_language(settled.still_open, say.lang))
    status = say(f"status.{settled.status}")
    return say("decide.done", review=review_id, by=person, decision=say(f"decision.{decision}"), status=status)


def _edits(changes: list[str]) -> dict[str, str]:
    edits = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {change}: write FIELD=VALUE, such as --set seller_tax_id=91...")
        edits[name.strip()] = value.strip()
    return edits
