"""`remembrancer audit`: audit files and folders of invoices, and show what waits."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from graphs.state import AuditInput
from invoices.ledger import Examined, InvoiceStatus
from remembrancer.cli.edge import PlainConsole
from remembrancer.cli.shared import WAITS_FOR_A_PERSON, Terminal, print_json, program, terminal_of
from remembrancer.office import open_office
from remembrancer.reports import BatchReport, gather
from remembrancer.reports.data import report_json, shown_fields
from remembrancer.reports.words import run_words
from remembrancer.texts import Speech

ENDED_BY_ITS_BREAKER = 1
_SHOWN = 5
_COLOURS = {"booked": "green", "waiting": "yellow", "rejected": "red", "unreadable": "magenta", "duplicate": "cyan"}


def audit(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Files and folders of invoices.")],
    policy: Annotated[str, typer.Option(help="Policy file (default: REMEMBRANCER_POLICY, or PATH/policy.toml).")] = "",
    batch: Annotated[str, typer.Option(help="Name of the batch; after a crash the same name goes on.")] = "",
    submitter: Annotated[str, typer.Option(help="Who brings the invoices in; he never decides about them.")] = "",
    claim: Annotated[str, typer.Option(help="Id of the claim.")] = "",
    trip: Annotated[str, typer.Option(help="Id of the trip.")] = "",
    category: Annotated[str, typer.Option(help="Expense category claimed.")] = "",
    cost_centre: Annotated[str, typer.Option(help="Cost centre.")] = "",
    manifest: Annotated[
        str, typer.Option(help="CSV with the same for each file (heading: file, submitter, ...).")
    ] = "",
    schematron: Annotated[str, typer.Option(help="Your own schematron, compiled to XSLT, for UBL and CII.")] = "",
    oversight: Annotated[
        Literal["", "hitl", "hotl", "hootl", "shadow"],
        typer.Option(help="How closely people watch (default: the policy's degree)."),
    ] = "",
    sample: Annotated[
        int, typer.Option(min=0, max=1000, help="Have one in so many of what passes checked (default: the policy's).")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Audit invoices: book what is clean, and put the rest before a person."""
    terminal = terminal_of(context)
    start: AuditInput = {
        "paths": paths,
        "policy": policy or _policy_beside(paths, terminal),
        "submitter": submitter,
        "manifest": manifest,
        "schematron": schematron,
        "oversight": oversight,
        "sample_one_in": sample,
    }
    named = {"claim_id": claim, "trip": trip, "category": category, "cost_centre": cost_centre}
    start["claim"] = {name: value for name, value in named.items() if value}
    with open_office(terminal.settings) as office:
        with _progress(quiet=as_json) as bar:
            task = bar.add_task(terminal.say("audit.reading"), total=None)
            done = office.audit(
                start, name=batch, progress=lambda files, total: bar.update(task, completed=files, total=total)
            )
        report = gather(office.services, done.batch_id)
    if as_json:
        print_json(report_json(report, terminal.say.lang))
    else:
        _show(report, terminal)
    if report.watched.run.ended_why:
        raise typer.Exit(ENDED_BY_ITS_BREAKER)
    if _waiting(report) or report.batch.finished_at is None:
        raise typer.Exit(WAITS_FOR_A_PERSON)


def _policy_beside(paths: list[str], terminal: Terminal) -> str:
    """The policy of the first folder that brings one, where none is configured."""
    if terminal.settings.policy:
        return terminal.settings.policy
    found = [Path(path) / "policy.toml" for path in paths if (Path(path) / "policy.toml").is_file()]
    return str(found[0]) if found else ""


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    disabled = quiet or not sys.stderr.isatty()
    return Progress(*columns, console=PlainConsole(stderr=True), transient=True, disable=disabled)


class _Rate(TextColumn):
    """Files a second."""

    def __init__(self) -> None:
        super().__init__("{task.speed:.0f}/s")

    def render(self, task: object) -> Text:
        speed = getattr(task, "speed", None)
        return Text(f"{speed:.0f}/s" if speed else "")


def _waiting(report: BatchReport) -> list[Examined]:
    """The invoices of this batch that wait; of an already audited one, its first if that still waits."""
    own = [one for one in report.invoices if one.status is InvoiceStatus.WAITING]
    again = [one for one in report.invoices if one.status is InvoiceStatus.ALREADY_AUDITED and one.first_id]
    firsts = [report.firsts[one.first_id] for one in again if one.first_id]
    return [*own, *(first for first in firsts if first.status is InvoiceStatus.WAITING)]


def _show(report: BatchReport, terminal: Terminal) -> None:
    console, say = terminal.console, terminal.say
    console.print()
    console.print(Text(say("audit.title", batch=report.batch.name, count=len(report.invoices)), style="bold"))
    console.print(Padding(_totals(report, say), (0, 0, 1, 2)))
    _show_again(report, terminal)
    _show_unreadable(report, terminal)
    _show_run(report, terminal)
    waiting = _waiting(report)
    if not waiting:
        console.print(say("audit.nothing_waits"))
        return
    console.print(Text(say("audit.waits", count=len(waiting)), style="bold yellow"))
    for one in waiting[:_SHOWN]:
        _show_waiting(one, report, terminal)
    if len(waiting) > _SHOWN:
        console.print(say("audit.more", count=len(waiting) - _SHOWN))
    _show_next(waiting[0], report, terminal)


def _totals(report: BatchReport, say: Speech) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(say("audit.status"))
    table.add_column(say("audit.count"), justify="right")
    table.add_column(say("audit.amount"), justify="right")
    for status, count in report.counts.items():
        sums = [f"{amount:,.2f} {currency}" for currency, amount in sorted(report.sums.get(status, {}).items())]
        table.add_row(Text(say(f"status.{status}"), style=_COLOURS.get(status, "")), str(count), "\n".join(sums))
    return table


def _show_again(report: BatchReport, terminal: Terminal) -> None:
    firsts = [
        report.firsts[one.first_id] for one in report.invoices if one.first_id and one.status == "already_audited"
    ]
    if firsts:
        counts: dict[str, int] = {}
        for first in firsts:
            counts[first.status] = counts.get(first.status, 0) + 1
        statuses = ", ".join(f"{count} {terminal.say(f'status.{status}')}" for status, count in counts.items())
        terminal.console.print(terminal.say("audit.before", count=len(firsts), statuses=statuses))


def _show_run(report: BatchReport, terminal: Terminal) -> None:
    """What the degree of oversight did to the run: stopped at a brake, ended by a breaker, samples drawn."""
    for words, style in run_words(report, terminal.say.lang):
        terminal.console.print(Text(words, style=style), soft_wrap=True)


def _show_unreadable(report: BatchReport, terminal: Terminal) -> None:
    unreadable = [one for one in report.invoices if one.unreadable]
    for one in unreadable[:_SHOWN]:
        terminal.console.print(Text(terminal.say("audit.unreadable", reason=one.unreadable), style="magenta"))


def _show_waiting(one: Examined, report: BatchReport, terminal: Terminal) -> None:
    console, say = terminal.console, terminal.say
    fields = shown_fields(one)
    total = one.record.money("total") if one.record else None
    currency = fields["currency"] or report.policy.limits.currency
    amount = f"{total:,.2f} {currency}" if total is not None else ""
    console.print()
    console.print(Padding(Text(f"{fields['seller']}  {amount}", style="bold"), (0, 0, 0, 2)))
    number = " ".join(filter(None, (fields["code"], fields["number"], fields["date"])))
    console.print(Padding(Text(f"{number}  {one.file}", style="dim"), (0, 0, 0, 2)))
    for finding in one.findings:
        if finding.trigger:
            label = say(f"trigger.{finding.trigger}")
            console.print(Padding(Text(f"• [{label}] {finding.message[say.lang]}"), (0, 0, 0, 2)))
    if candidates := _candidates(one, say):
        console.print(Padding(Text(f"→ {say('audit.candidates', candidates=candidates)}", style="cyan"), (0, 0, 0, 2)))


def _candidates(one: Examined, say: Speech) -> str:
    found = [candidate for finding in one.findings for candidate in finding.candidates]
    return ", ".join(say("audit.known", value=c.value) if c.known else c.value for c in found)


def _show_next(one: Examined, report: BatchReport, terminal: Terminal) -> None:
    """The commands that settle the first waiting invoice, ready to be typed."""
    console, say = terminal.console, terminal.say
    review_id = report.review_ids.get(one.invoice_id, "REVIEW")
    candidates = [candidate.value for finding in one.findings for candidate in finding.candidates]
    decide = f"{program()} decide {review_id}"
    lines = [
        (f'{decide} approve --reason "{say("reason.approve")}"', say("audit.type_approve")),
        (f'{decide} reject --reason "{say("reason.reject")}"', say("audit.type_reject")),
    ]
    if candidates:
        edit = f'{decide} edit --set seller_tax_id={candidates[0]} --reason "{say("reason.edit")}"'
        lines.append((edit, say("audit.type_edit")))
    lines.append((f"{program()} report {report.batch.name}", say("audit.type_report")))
    console.print()
    console.print(Text(say("audit.next"), style="bold"))
    for command, meaning in lines:
        console.print(Text(f"  # {meaning}", style="dim"))
        console.print(Text(f"  {command}", style="green"), soft_wrap=True)
