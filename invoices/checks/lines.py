"""Lines of a Chinese invoice: quantity and price, tax by rate, lines against the head, rates by date."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from invoices.checks.china import deduction, goods_classes, has_separate_list
from invoices.checks.rates import NO_RATE_WORDS, allowed, percent
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.money import CENT, cents, money_text, parse_money
from invoices.record import Invoice, Line

_HALF = Decimal("0.5")
_NOTHING = Decimal(0)
_NO_TAX = frozenset({"免税", "不征税"})
_DIFFERENTIAL = frozenset({"***", "*"})


def _amount(text: str | None) -> Decimal | None:
    return parse_money(text) if text else None


def _ulp(number: Decimal) -> Decimal:
    """Half of the last printed digit: what rounding may have taken away."""
    return _HALF.scaleb(min(int(number.as_tuple().exponent), 0))


def line_price(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Quantity times unit price is the line's net amount, as far as the printed digits tell."""
    for place, line in enumerate(invoice.lines, start=1):
        quantity, price, net = _amount(line.quantity), _amount(line.unit_price), _amount(line.net)
        if quantity is None or price is None or net is None:
            continue
        slack = CENT + abs(quantity) * _ulp(price) + abs(price) * _ulp(quantity)
        if abs(abs(quantity * price) - abs(net)) > slack:
            yield Problem("lines", money_text(net), money_text(cents(quantity * price)), _words(line, place))


def line_tax(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Each line's tax is its net amount times its rate, give or take a cent."""
    for place, line in enumerate(invoice.lines, start=1):
        net, rate, tax = _amount(line.net), percent(line.rate), _amount(line.tax)
        if net is None or rate is None or tax is None:
            continue
        if abs(net * rate / 100 - tax) > CENT:
            yield Problem("lines", money_text(tax), money_text(cents(net * rate / 100)), _words(line, place))


def head_tax(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Where the lines state no tax of their own: the tax is net times rate, give or take a cent for each line."""
    net, tax = invoice.money("net"), invoice.money("tax")
    rates = {percent(line.rate) for line in invoice.lines}
    if net is None or tax is None or len(rates) != 1 or any(line.tax for line in invoice.lines):
        return
    rate = next(iter(rates))
    if rate is not None and deduction(invoice) is None and abs(net * rate / 100 - tax) > CENT * len(invoice.lines):
        yield Problem("tax", money_text(tax), money_text(cents(net * rate / 100)), {"rate": f"{rate:f}"})


def lines_sum(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The lines, discount lines included, add up to the head's net amount and tax."""
    if has_separate_list(invoice):
        yield NotExecuted("明细在另附清单上", "the goods stand on a separate list")
        return
    for name, parts in (("net", [line.net for line in invoice.lines]), ("tax", [line.tax for line in invoice.lines])):
        head, sums = invoice.money(name), _sum(parts)
        if head is not None and sums is not None and abs(sums - head) > _reading_slack(invoice, name):
            yield Problem(name, money_text(head), money_text(sums))


def _sum(parts: Sequence[str | None]) -> Decimal | None:
    amounts = [_amount(part) for part in parts]
    known = [amount for amount in amounts if amount is not None]
    return sum(known, _NOTHING) if known and len(known) == len(amounts) else None


def _reading_slack(invoice: Invoice, name: str) -> Decimal:
    return _NOTHING if invoice.confidence(name) >= 1 else CENT


def rate_allowed(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """Every rate was in force on the day of issue, or shortly before (grace)."""
    day = invoice.day()
    if not day:
        return
    fitting = allowed(day, context.policy.dates.grace_days)
    for place, line in enumerate(invoice.lines, start=1):
        rate = percent(line.rate)
        odd_word = bool(line.rate) and rate is None and line.rate not in NO_RATE_WORDS
        if fitting and (odd_word or (rate is not None and rate not in fitting)):
            expected = ", ".join(f"{value:f}" for value in sorted(fitting))
            yield Problem("lines", line.rate or "", expected, {**_words(line, place), "day": day.isoformat()})


def tax_free(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A line that is tax-free (免税, 不征税) bears no tax."""
    for place, line in enumerate(invoice.lines, start=1):
        if line.rate in _NO_TAX and _amount(line.tax):
            yield Problem("lines", line.tax or "", "0.00", _words(line, place))


def differential(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Under differential taxation the tax is on the total less the deduction, at a rate of that day."""
    marked = any(line.rate in _DIFFERENTIAL and (_amount(line.tax) or _NOTHING) for line in invoice.lines)
    taken_off, total, tax, day = deduction(invoice), invoice.money("total"), invoice.money("tax"), invoice.day()
    if taken_off is None:
        if marked and tax:
            yield NotExecuted(
                "备注中没有差额征税的扣除额", "the remark states no deduction for the differential taxation"
            )
        return
    if total is None or tax is None or day is None:
        return
    expected = {cents((total - taken_off) * rate / (100 + rate)) for rate in allowed(day, 0)}
    if expected and min(abs(amount - tax) for amount in expected) > CENT:
        words = {"total": money_text(total), "deduction": money_text(taken_off)}
        yield Problem("tax", money_text(tax), ", ".join(map(money_text, sorted(expected))), words)


def goods_class_stated(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Each line of a digital invoice names its tax goods class between asterisks."""
    if invoice.form == "cn_einvoice" and invoice.lines and not all(goods_classes(invoice)):
        yield Problem("lines", "", "*…*")


def _words(line: Line, place: int) -> dict[str, str]:
    return {"line": str(place), "name": line.name or "", "rate": line.rate or ""}


CHECKS = (
    Check(
        id="line_price",
        severity="review",
        source="arithmetic",
        zh="第 {line} 行“{name}”：数量 × 单价 = {expected}，票面金额为 {read}（{where}）",
        en="Line {line} “{name}”: quantity × price = {expected}, but the amount reads {read} ({where})",
        run=line_price,
        scope="cn",
    ),
    Check(
        id="line_tax",
        severity="review",
        source="arithmetic; tolerance 0.01 a line",
        zh="第 {line} 行“{name}”：金额 × 税率 {rate}% = {expected}，票面税额为 {read}（{where}）",
        en="Line {line} “{name}”: amount × {rate} % = {expected}, but the tax reads {read} ({where})",
        run=line_tax,
        scope="cn",
    ),
    Check(
        id="head_tax",
        severity="review",
        source="arithmetic; tolerance 0.01 × lines",
        zh="金额 × 税率 {rate}% = {expected}，税额为 {read}（{where}）",
        en="Net × {rate} % = {expected}, but the tax reads {read} ({where})",
        run=head_tax,
        scope="cn",
    ),
    Check(
        id="lines_sum",
        severity="review",
        source="arithmetic",
        zh="各行合计 {expected}，与票头“{field}”{read} 不符（{where}）",
        en="The lines add up to {expected}, but the head's “{field}” reads {read} ({where})",
        run=lines_sum,
        scope="cn",
    ),
    Check(
        id="rate_allowed",
        severity="review",
        source="VAT rates by date: Caishui 2018 no. 32, notice 2019 no. 39, VAT Law art. 10 and 11",
        zh="第 {line} 行“{name}”：{day} 没有税率“{read}”（当时为 {expected}）（{where}）",
        en="Line {line} “{name}”: there was no rate “{read}” on {day} (in force: {expected}) ({where})",
        run=rate_allowed,
        scope="cn",
    ),
    Check(
        id="tax_free",
        severity="review",
        source="VAT Law: tax-free supplies",
        zh="第 {line} 行“{name}”为{rate}，却有税额 {read}（{where}）",
        en="Line {line} “{name}” is {rate} but bears a tax of {read} ({where})",
        run=tax_free,
        scope="cn",
    ),
    Check(
        id="differential_tax",
        severity="review",
        source="differential taxation (差额征税)",
        zh="差额征税：({total} − {deduction}) 按当期税率应为 {expected} 之一，税额为 {read}（{where}）",
        en="Differential taxation: ({total} − {deduction}) gives one of {expected}, but the tax reads {read} ({where})",
        run=differential,
        scope="cn",
    ),
    Check(
        id="goods_class",
        severity="hint",
        source="State Taxation Administration: goods classes printed between asterisks",
        zh="有商品行没有税收分类简称（{expected}）（{where}）",
        en="A line names no tax goods class ({expected}) ({where})",
        run=goods_class_stated,
        scope="cn",
    ),
)
