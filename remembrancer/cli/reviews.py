"""`remembrancer reviews`: what waits for a person."""

from typing import Annotated, Any

import typer
from rich.text import Text

from foundation.database import reading
from oversight.question import in_language
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
        for review in waiting:
            terminal.console.print()
            terminal.console.print(_card(review, terminal.say), end="")


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
