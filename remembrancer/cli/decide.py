"""`remembrancer decide`: answer one review, or several of one reason group."""

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from foundation.errors import NotFoundError, UsageError
from oversight.action import DecisionKind
from oversight.actions import ActionStatus
from oversight.question import in_language
from oversight.queue import QueueFilter
from remembrancer.bulk import Outcome
from remembrancer.cli.shared import WAITS_FOR_A_PERSON, Terminal, print_json, terminal_of
from remembrancer.office import Office, open_office
from remembrancer.settled import Settled

_MANY = ("已处理 {done} 项，未处理 {failed} 项。", "{done} done, {failed} left.")


def decide(
    context: typer.Context,
    reviews: Annotated[
        list[str],
        typer.Argument(
            metavar="REVIEW...", default_factory=list, help="The ids, as `remembrancer reviews` lists them."
        ),
    ],
    decision: Annotated[Literal["approve", "reject", "edit", "respond"], typer.Argument(help="What to do.")],
    group: Annotated[str, typer.Option(help="All of one reason group, in place of ids: its rule, or RULE/PARTY.")] = "",
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
        if group or len(reviews) != 1:
            ids = [*reviews, *_in_group(office, group)]
            outcomes = office.decide_many(ids, decision, by=person, reason=reason)
            _tell_many(outcomes, decision, person, terminal, as_json=as_json)
            return
        settled = office.decide(reviews[0], decision, by=person, reason=reason, edits=_edits(changes or []))
    _tell_one(settled, decision, person, terminal, as_json=as_json)


def _tell_one(settled: Settled, decision: DecisionKind, person: str, terminal: Terminal, *, as_json: bool) -> None:
    """What became of it; the exit code says whether it still waits."""
    if as_json:
        print_json(
            {
                "review_id": settled.review.review_id,
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


def _in_group(office: Office, group: str) -> list[str]:
    """The ids of the group's reviews, as many as wait now."""
    if not group:
        return []
    rule, _, party = group.partition("/")
    ids = office.desk.ids(office.services.tenant, QueueFilter(group=rule, party=party or None))
    if not ids:
        raise NotFoundError(f"nothing waits in the group {group}: `remembrancer reviews --groups` lists them")
    return ids


def _tell_many(
    outcomes: Sequence[Outcome], decision: DecisionKind, person: str, terminal: Terminal, *, as_json: bool
) -> None:
    """One line for each, and how many were done; what was not done stays, with the reason."""
    failed = [outcome for outcome in outcomes if not outcome.done]
    if as_json:
        print_json([{"review_id": one.review_id, "done": one.done, "why": one.why} for one in outcomes])
    else:
        for outcome in outcomes:
            told = f"{outcome.review_id}: {in_language(outcome.why, terminal.say.lang)}"
            if outcome.settled and outcome.done:
                told = _told(outcome.settled, decision, person, terminal)
            terminal.console.print(told, soft_wrap=True, markup=False)
        done = len(outcomes) - len(failed)
        terminal.console.print(terminal.say.of(_MANY, done=done, failed=len(failed)), soft_wrap=True)
    if failed:
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
