"""`remembrancer rules`: how the rules did, and which ones people's repeated decisions propose."""

from collections.abc import Mapping
from typing import Annotated

import typer
from rich.table import Table

from foundation.database import reading
from oversight.action import Message
from oversight.proposals import ProposalStatus, RuleProposal, list_proposals, settle
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.insights import rule_records
from remembrancer.wiring import open_services

Proposed = Annotated[str, typer.Argument(help="The proposal's id, as `rules proposals` lists it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept.")]
By = Annotated[str, typer.Option(help="Who decides (default: this account).")]

_NONE: Message = {"zh": "没有提议的规则。", "en": "No rule is proposed."}
_STATUS_WORDS: Mapping[ProposalStatus, Message] = {
    ProposalStatus.PROPOSED: {"zh": "提议", "en": "proposed"},
    ProposalStatus.ACCEPTED: {"zh": "已采纳", "en": "accepted"},
    ProposalStatus.DECLINED: {"zh": "已否决", "en": "declined"},
}

app = typer.Typer(help="How the rules did, and which ones are proposed.", no_args_is_help=True)


@app.callback()
def rules() -> None:
    """How the rules did, and which ones are proposed."""


@app.command("stats")
def stats(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how often each rule fired, and what people made of it: a rule often overturned is too strict."""
    terminal = terminal_of(context)
    records = rule_records(open_services(terminal.settings))
    if as_json:
        print_json({rule: record.to_json() for rule, record in records.items()})
        return
    say = terminal.say
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(say("rules.rule"))
    columns = ("fired", "overridden", "corrected", "rejected", "waiting", "overturned")
    for name in columns:
        table.add_column(say(f"rules.{name}"), justify="right")
    for rule, record in records.items():
        share = "" if record.overturned is None else f"{record.overturned:.0%}"
        table.add_row(rule, *(str(getattr(record, name)) for name in columns[:-1]), share)
    terminal.console.print(table if records else say("rules.none"))


@app.command("proposals")
def proposals(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the rules that repeated decisions propose, and those that somebody accepted or declined."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        found = list_proposals(connection, services.tenant)
    if as_json:
        print_json([_json(one) for one in found])
        return
    for one in found:
        by = f" ({one.decided_by}: {one.why})" if one.decided_by else ""
        status = _STATUS_WORDS[one.status][terminal.say.lang]
        line = f"{one.proposal_id}  [{status}]  {one.words[terminal.say.lang]}{by}"
        terminal.console.print(line, markup=False, soft_wrap=True)
    if not found:
        terminal.console.print(_NONE[terminal.say.lang])


@app.command("accept")
def accept(context: typer.Context, proposal: Proposed, reason: Reason, by: By = "") -> None:
    """Put a proposed rule in force from the next invoice on."""
    _settle(context, proposal, reason, by, accept=True)


@app.command("decline")
def decline(context: typer.Context, proposal: Proposed, reason: Reason, by: By = "") -> None:
    """Decline a proposed rule, or put an accepted one out of force; it is never proposed again."""
    _settle(context, proposal, reason, by, accept=False)


def _settle(context: typer.Context, proposal: str, reason: str, by: str, *, accept: bool) -> None:
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with services.journal.transaction() as transaction:
        person = by or services.account
        settled = settle(transaction, services.tenant, proposal, accept=accept, by=person, why=reason)
    words = f"{settled.proposal_id}  [{_STATUS_WORDS[settled.status][terminal.say.lang]}]"
    terminal.console.print(f"{words}  {settled.words[terminal.say.lang]}", markup=False, soft_wrap=True)


def _json(one: RuleProposal) -> dict[str, object]:
    values = {name: getattr(one, name) for name in RuleProposal.__slots__}
    return values | {"words": dict(one.words)}
