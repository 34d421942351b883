"""`remembrancer reviews`: what waits for a person."""

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from foundation.database import reading
from oversight.reviews import Review, count_reviews, list_reviews
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.texts import Speech


def reviews(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List what waits for a person, the largest amount first."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office, reading(office.services.engine) as connection:
        waiting = list_reviews(connection, office.services.tenant, limit=limit)
        count = count_reviews(connection, office.services.tenant)
    if as_json:
        print_json([_json(review, terminal.say) for review in waiting])
    elif not waiting:
        terminal.console.print(terminal.say("reviews.none"))
    else:
        terminal.console.print(Text(terminal.say("reviews.title", count=count), style="bold"))
        terminal.console.print(_table(waiting, terminal.say))


def _json(review: Review, say: Speech) -> dict[str, Any]:
    question = review.question
    return {
        "review_id": review.review_id,
        "invoice_id": review.subject,
        "batch": question["evidence"]["batch"],
        "file": question["evidence"]["file"],
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


def _table(waiting: list[Review], say: Speech) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0))
    table.add_column(say("reviews.review"), no_wrap=True)
    table.add_column(say("reviews.amount"), justify="right", no_wrap=True)
    table.add_column(say("reviews.what"), overflow="fold")
    for review in waiting:
        what = Text(review.headline, style="bold")
        for trigger in review.question["triggers"]:
            what.append(f"\n• {trigger['message'][say.lang]}", style="not bold")
        what.append(
            f"\n{say('reviews.since', since=review.opened_at.strftime('%Y-%m-%d %H:%M UTC'))}", style="dim not bold"
        )
        table.add_row(review.review_id, f"{review.amount:,.2f} {review.currency}", what)
    return table
