"""What examining one clean invoice costs, by kind: `uv run python benchmarks/checks_cost.py`.

CPU time of this process, the best of five rounds, so that a busy machine counts as little as possible.
"""

import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from invoices.checks import examine
from invoices.findings import Context
from invoices.history import Claim, MemoryHistory, past_of
from invoices.identity import made_up_uscc
from invoices.policy import Cap, Company, Policy, Register, Seller
from invoices.record import Invoice, Line, Place, Reading, TaxPart

COUNT, ROUNDS, SELLERS = 2000, 5, 500
BUYER = made_up_uscc(0)
SELLER_IDS = [made_up_uscc(number + 1) for number in range(SELLERS)]
TODAY = date(2026, 11, 2)
POLICY = Policy(
    company=Company(names=("买方公司",), tax_ids=(BUYER, "DE136695976")),
    register=Register(sellers=tuple(Seller(tax_id=tax_id, name=f"销售公司{n}") for n, tax_id in enumerate(SELLER_IDS))),
    rates={"EUR": {"value": "8", "on": "2026-01-01", "source": "test"}},
)
CAPPED = Policy(
    **{name: getattr(POLICY, name) for name in ("company", "known", "rates")},
    caps=tuple(Cap(per=per, amount=Decimal(10**9)) for per in ("invoice", "day", "month", "trip")),
)


def record(form: str, values: dict[str, str], **parts: object) -> Invoice:
    return Invoice(form, {k: Reading(v, v, Place("f.xml", k), form) for k, v in values.items()}, **parts)


def chinese(number: int) -> Invoice:
    net = Decimal(1000 + number % 37 * 13) + Decimal("0.05")
    tax = (net * 6 / 100).quantize(Decimal("0.01"))
    day = date(2026, 3, 2) + timedelta(days=number % 60 * 7 // 2)
    values = {
        "seller": f"销售公司{number % SELLERS}",
        "seller_tax_id": SELLER_IDS[number % SELLERS],
        "buyer": "买方公司",
        "buyer_tax_id": BUYER,
        "number": f"2699{number * 7919 % 10**9:016d}",
        "date": day.isoformat(),
        "currency": "CNY",
        "net": str(net),
        "tax": str(tax),
        "total": str(net + tax),
    }
    line = Line("*餐饮服务*餐费", "1", str(net), str(net), "6", str(tax), "餐饮服务")
    return record("cn_einvoice", values, lines=(line,))


def european(number: int) -> Invoice:
    parties = {"seller": "S", "seller_vat_id": "XI980780684", "seller_tax_id": "XI980780684", "seller_country": "DE"}
    parties |= {
        "buyer": "买方公司",
        "buyer_vat_id": "DE136695976",
        "buyer_tax_id": "DE136695976",
        "buyer_country": "DE",
    }
    amounts = {"line_total": "300.00", "net": "300.00", "tax": "57.00", "total": "357.00", "payable": "357.00"}
    head = {
        "profile": "urn:cen.eu:en16931:2017",
        "kind": "380",
        "seller_id": "1",
        "number": f"R{number}",
        "date": "2026-10-05",
    }
    more = {"currency": "EUR", "due_date": "2026-12-01", "seller_address": "stated", "buyer_address": "stated"}
    line = Line("Thing", "2", "50", "100.00", "19", None, "S", id="1", unit="C62")
    tax = TaxPart("S", "19", "300.00", "57.00")
    return record("ubl", {**parties, **amounts, **head, **more}, lines=(line,) * 3, taxes=(tax,))


def alone(invoices: list[Invoice]) -> None:
    for number, invoice in enumerate(invoices):
        examine(invoice, Context(POLICY, TODAY, invoice_id=str(number)))


def with_history(invoices: list[Invoice]) -> None:
    history = MemoryHistory()
    for number, invoice in enumerate(invoices):
        claim = Claim(submitter=f"p{number % 50}", trip=f"t{number // 20}")
        examine(invoice, Context(CAPPED, TODAY, history=history, claim=claim, invoice_id=str(number)))
        history.add(past_of(invoice, CAPPED, invoice_id=str(number), claim=claim))


def cost(make: Callable[[int], Invoice], run: Callable[[list[Invoice]], None]) -> float:
    best = float("inf")
    for round_number in range(ROUNDS):
        invoices = [make(COUNT * round_number + number) for number in range(COUNT)]
        started = time.process_time()
        run(invoices)
        best = min(best, time.process_time() - started)
    return best / COUNT * 1e6


def findings(invoice: Invoice) -> int:
    return len(examine(invoice, Context(POLICY, TODAY)).findings)


def main() -> int:
    for name, make in (("Chinese, one line", chinese), ("EN 16931, three lines", european)):
        for title, run in (("no history", alone), ("history, claim and four caps", with_history)):
            print(f"{name}, {title}: {cost(make, run):.0f} µs ({findings(make(1))} findings)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
