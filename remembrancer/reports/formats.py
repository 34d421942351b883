"""The four formats. Text from documents stays text: no mark-up in HTML, no formula and no number cell in tables."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping

import xlsxwriter
from jinja2 import Environment, PackageLoader, StrictUndefined

from foundation.visible import visible, visible_json
from invoices.bookings import BookingKind
from invoices.ledger import Examined, InvoiceStatus
from invoices.record import PUBLIC_FIELDS
from oversight.question import in_language
from remembrancer.reports.data import BatchReport, report_json, shown_fields
from remembrancer.reports.words import DEGREE_WORDS, run_words
from remembrancer.rule_sources import RULE_SOURCES
from remembrancer.texts import Speech

# Spreadsheets of East Asian locales take the full-width forms for the same.
_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
_WIDTHS = {"seller": 28, "buyer": 28, "seller_tax_id": 22, "buyer_tax_id": 22, "number": 22, "code": 14}


def to_json(report: BatchReport, say: Speech) -> bytes:
    """The report as one JSON document: what `audit --json` prints, and beside it decisions and the log's check."""
    document = report_json(report, say.lang) | {
        "policy": report.batch.policy,
        "rules": report.batch.rules,
        "submitter": report.batch.submitter,
        "decisions": [d.to_json() for decisions in report.decisions.values() for d in decisions],
        "files": {one.file: one.sha256 for one in report.invoices},
        "not_executed": {rule: {"invoices": n, "why": en} for rule, (n, _, en) in report.not_executed.items()},
        "audit_log": {"rows": report.log_rows, "fault": report.log_fault},
    }
    return visible_json(json.dumps(document, ensure_ascii=False, indent=2)).encode()


def to_csv(report: BatchReport, say: Speech) -> bytes:
    """One invoice a row, with a mark that spreadsheets need to see UTF-8; nothing in it can become a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_headings(say))
    writer.writerows([harmless(cell) for cell in row] for row in _rows(report, say))
    return out.getvalue().encode("utf-8-sig")


def to_xlsx(report: BatchReport, say: Speech) -> bytes:
    """One invoice a row; every cell is text, so that a 20-digit number keeps its digits."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        heading = book.add_format({"bold": True, "bottom": 1})
        text = book.add_format({"num_format": "@"})
        sheet = book.add_worksheet(say("html.invoices"))
        sheet.freeze_panes(1, 0)
        for column, name in enumerate(("file", "status", *PUBLIC_FIELDS)):
            sheet.set_column(column, column, _WIDTHS.get(name, 14), text)
        for row_number, row in enumerate([_headings(say), *_rows(report, say)]):
            for column, cell in enumerate(row):
                sheet.write_string(row_number, column, visible(cell), heading if row_number == 0 else text)
        _decision_sheet(report, say, book.add_worksheet(say("html.decisions")), heading)
    return out.getvalue()


def _shown(value: object) -> object:
    """What the page shows: a text from outside can't turn the words beside it round."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def to_html(report: BatchReport, say: Speech) -> bytes:
    """The page that a manager reads and prints; it loads nothing from anywhere."""
    environment = Environment(
        loader=PackageLoader("remembrancer", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=_shown,
    )
    page = environment.get_template("report.html.j2")
    needed = [
        one
        for one in sorted(report.invoices, key=_gravity)
        if one.findings or one.unreadable or one.invoice_id in {*report.decisions, *report.reversals}
    ]
    return page.render(
        report=report,
        say=say,
        needed=needed,
        fields=shown_fields,
        public=PUBLIC_FIELDS,
        in_language=in_language,
        source_said=lambda source: RULE_SOURCES.get(source, source) if say.lang == "zh" else source,
        rules_said=lambda rules: ", ".join(map(say.rule, rules)),
        degree=DEGREE_WORDS[report.watched.run.degree][say.lang],
        watched_words=[words for words, _ in run_words(report, say.lang)],
        grouped=lambda amount: f"{amount:,.2f}",
        kinds=BookingKind,
        widest=max([*report.counts.values(), 1]),
        widest_rule=max([*report.rule_counts.values(), 1]),
    ).encode()


def _gravity(one: Examined) -> int:
    """What waits comes first, then the gravest reason; a mere hint last. The order is otherwise that of the files."""
    gravest = min((_SEVERITIES.index(f.severity) for f in one.findings if not f.cleared_by), default=len(_SEVERITIES))
    return -1 if one.status is InvoiceStatus.WAITING else gravest


_SEVERITIES = ("hard", "review", "hint")
Render = Callable[[BatchReport, Speech], bytes]

FORMATS: Mapping[str, Render] = {"html": to_html, "xlsx": to_xlsx, "json": to_json, "csv": to_csv}


def render(report: BatchReport, format_name: str, say: Speech) -> bytes:
    """The report in one of `FORMATS`."""
    return FORMATS[format_name](report, say)


def _headings(say: Speech) -> list[str]:
    fields = [say(f"field.{name}") for name in PUBLIC_FIELDS]
    return [
        say("html.file"),
        say("html.status"),
        *fields,
        say("html.findings"),
        say("html.decisions"),
        say("html.hash"),
    ]


def _rows(report: BatchReport, say: Speech) -> Iterator[list[str]]:
    for one in report.invoices:
        findings = "; ".join(finding.message[say.lang] for finding in one.findings) or one.unreadable
        yield [
            one.file,
            say(f"status.{one.status}"),
            *shown_fields(one).values(),
            findings,
            "; ".join(_decision_words(report, one, say)),
            one.sha256,
        ]


def _decision_words(report: BatchReport, one: Examined, say: Speech) -> Iterator[str]:
    for decision in report.decisions.get(one.invoice_id, ()):
        when = decision.at.isoformat(timespec="seconds")
        why = decision.reason or in_language(decision.refused, say.lang)
        behalf = say("html.behalf", name=decision.behalf_of) if decision.behalf_of else ""
        over = say("html.override", rules=", ".join(decision.bypassed)) if decision.override else ""
        words = (say(f"decision.{decision.kind}"), decision.decided_by, behalf, when, over, why)
        yield " ".join(filter(None, words))


def _decision_sheet(report: BatchReport, say: Speech, sheet: xlsxwriter.worksheet.Worksheet, heading: object) -> None:
    names = (
        "at",
        "decided_by",
        "kind",
        "reason",
        "edits",
        "refused",
        "via",
        "review_id",
        "behalf_of",
        "override",
        "bypassed",
    )
    for column, name in enumerate(names):
        sheet.write_string(0, column, name, heading)
    rows = [decision for decisions in report.decisions.values() for decision in decisions]
    for row_number, decision in enumerate(rows, start=1):
        values = decision.to_json()
        values["edits"] = json.dumps(values["edits"], ensure_ascii=False)
        values["kind"] = say(f"decision.{decision.kind}")
        for column, name in enumerate(names):
            sheet.write_string(row_number, column, visible(str(values[name])))


def harmless(cell: str) -> str:
    """A cell that a spreadsheet would run as a formula gets an apostrophe; plain negative amounts stay as they are."""
    cell = visible(cell)
    if cell.startswith(_FORMULA_STARTS) and not cell.removeprefix("-").replace(".", "", 1).isdigit():
        return f"'{cell}"
    return cell
