"""What the tax office answered. No answer is no verdict: it is told as not executed, never as passed or failed."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.record import Invoice
from invoices.verification import State, Verification

_WHY: Mapping[State, tuple[str, str]] = {
    State.NOT_ASKED: ("尚未向税务局查验", "the tax office has not been asked"),
    State.TOO_NEW: ("开票时间太近，税务局尚无法查验", "the invoice is too new for the tax office to answer"),
    State.OVER_QUOTA: ("当日查验次数已用完", "the day's queries were used up"),
    State.SERVICE_DOWN: ("查验服务不可用", "the look-up service did not answer"),
    State.NOT_VERIFIABLE: ("此类票据无法查验", "this kind of ticket can't be looked up"),
}


def tax_office(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The tax office knows the invoice with these values, and it is not void."""
    answer = context.verification
    if answer.state in _WHY:
        needed = context.policy.lookup.required and answer.state is not State.NOT_VERIFIABLE
        yield NotExecuted(*_WHY[answer.state], blocks=needed)
    elif answer.state is State.NOT_FOUND:
        yield _not_found(invoice, context, answer)
    elif answer.state is not State.GENUINE:
        yield _problem(invoice, answer)


def _not_found(invoice: Invoice, context: Context, answer: Verification) -> Outcome:
    day, asked = invoice.day(), answer.checked_on or context.today
    if day and asked <= day + timedelta(days=context.policy.lookup.patience_days):
        return NotExecuted(*_WHY[State.TOO_NEW], blocks=context.policy.lookup.required)
    return _problem(invoice, answer)


def _problem(invoice: Invoice, answer: Verification) -> Problem:
    asked = answer.checked_on.isoformat() if answer.checked_on else "-"
    mild = answer.state is State.NOT_FOUND
    words = {"state": answer.state.value, "on": asked, "by": answer.source or "-"}
    return Problem("number", invoice.text("number"), "genuine", words, severity="review" if mild else None)


CHECKS = (
    Check(
        id="tax_office",
        severity="hard",
        source="look-up at the tax office",
        zh="税务局查验结果：{state}（{on}，{by}），发票号码“{read}”（{where}）",
        en="The tax office answered {state} ({on}, {by}) for the number “{read}” ({where})",
        run=tax_office,
        scope="cn",
    ),
)
