"""`remembrancer reviews`: what waits for a person."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from foundation.database import reading
from oversight.question import in_language
from oversight.queue import Group, QueueFilter
from oversight.reviews import Review, find_review
from remembrancer.cli.shared import Terminal, print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.texts import Speech

_GROUP = ("{count} 项 · {amount} {currency}", "{count} · {amount} {currency}")
_ALONE = ("须逐项审批", "each decided by itself")


def reviews(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many first.")] = 0,
    batch: Annotated[str, typer.Option(help="Only of this batch.")] = "",
    rule: Annotated[str, typer.Option(help="Only where this rule fired.")] = "",
    trigger: Annotated[
        Literal["", "high_stakes", "guardrail", "loop", "low_confidence"], typer.Option(help="Only of this kind.")
    ] = "",
    party: Annotated[str, typer.Option(help="Only of this seller.")] = "",
    assignee: Annotated[str, typer.Option(help="Only what waits for this person, or for whom he stands in.")] = "",
    overdue: Annotated[bool, typer.Option("--overdue", help="Only what is overdue.")] = False,
    text: Annotated[str, typer.Option(help="Only with these words in the headline, or of this id.")] = "",
    sort: Annotated[Literal["risk", "amount", "age", "due"], typer.Option(help="What comes first.")] = "risk",
    groups: Annotated[bool, typer.Option("--groups", help="Count by reason and seller.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List what waits for a person, the gravest first and then the largest amount."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        desk, tenant = office.desk, office.services.tenant
        wanted = QueueFilter(
            batch=batch or None,
            rule=rule or None,
            trigger=trigger or None,
            party=party or None,
            assignees=desk.names_for(tenant, assignee) if assignee else None,
            due_before=office.services.clock() if overdue else None,
            text=text or None,
        )
        if groups:
            _tell_groups(desk.groups(tenant, wanted), terminal, as_json=as_json)
            return
        page = desk.page(tenant, wanted, limit=limit, offset=offset, sort=sort)
        with reading(office.services.engine) as connection:
            waiting = [find_review(connection, tenant, item.review_id) for item in page.items]
    _tell(waiting, page.total, terminal, as_json=as_json)


def _tell(waiting: Sequence[Review], count: int, terminal: Terminal, *, as_json: bool) -> None:
    """One page of reviews."""
    if as_json:
        print_json([_json(review, terminal.say) for review in waiting])
    elif not waiting:
        terminal.console.print(terminal.say("reviews.none"))
    else:
        terminal.console.print(Text(terminal.say("reviews.title", count=count), style="bold"))
        for review in waiting:
            terminal.console.print()
            terminal.console.print(_card(review, terminal.say), end="")


def _tell_groups(groups: Sequence[Group], terminal: Terminal, *, as_json: bool) -> None:
    """The reason groups, with what to type to decide one of them."""
    if as_json:
        print_json([asdict(group) | {"together": group.together} for group in groups])
        return
    for group in groups:
        said = {"count": group.count, "amount": f"{group.amount:,.2f}", "currency": group.currency}
        line = f"{group.rule}/{group.party}  {terminal.say.of(_GROUP, **said)}"
        alone = "" if group.together else f" ({terminal.say.of(_ALONE)})"
        terminal.console.print(f"{line}{alone}", soft_wrap=True, markup=False)


def _json(review: Review, say: Speech) -> dict[str, Any]:
    question = review.question
    return {
        "review_id": review.review_id,
        "invoice_id": review.subject,
        "action": review.action,
        "batch": question["evidence"].get("batch", ""),
        "file": question["evidence"].get("file", ""),
        "thread": review.thread_id,
        "headline": review.headline,
        "amount": f"{review.amount:.2f}",
        "currency": review.currency,
        "triggers": [
            {"kind": t["kind"], "rule": t["rule"], "message": t["message"][say.lang]} for t in question["triggers"]
        ],
        "allowed": question["review_configs"][0]["allowed_decisions"],
        "round": review.round,
        "opened_at": review.opened_at.isoformat(),
        "refused": question["refused"],
    }


def _card(review: Review, say: Speech) -> Text:
    """One review: its id, what it is about, why it waits, and the last answer that was put back."""
    card = Text(f"{review.review_id}  {review.amount:,.2f} {review.currency}\n", style="bold")
    since = say("reviews.since", since=review.opened_at.strftime("%Y-%m-%d %H:%M UTC"))
    evidence = review.question["evidence"]
    card.append(f"  {review.headline}\n", style="not bold")
    place = [evidence.get(name) for name in ("batch", "file", "thread") if evidence.get(name)]
    card.append(f"  {' · '.join([*place, since])}\n", style="dim not bold")
    for trigger in review.question["triggers"]:
        label = say(f"trigger.{trigger['kind']}")
        card.append(f"  • [{label}] {trigger['message'][say.lang]}\n", style="not bold")
    if review.question["refused"]:
        card.append(f"  ↩ {in_language(review.question['refused'], say.lang)}\n", style="not bold yellow")
    return card
