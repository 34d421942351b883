"""A folder of generated invoices, most of them clean, with faults of every kind planted at places that are known.

Each invoice follows from its place alone, so a duplicate is written by asking for an earlier place again. A planted
invoice has a seller to itself wherever its fault would otherwise show on the invoices of others as well.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from examples.forms.ids import credit_code
from examples.forms.mixed_cn import DOCTYPE
from examples.forms.sample import capitals, cents

TODAY = date(2026, 12, 30)
EVERY, AT = 100, 57
"""One place in a hundred is planted: the 57th, 157th..."""
A_FOLDER = 1000
COMPANY, COMPANY_ID = "测试集团有限公司", credit_code(10_000_001)
LIMIT = Decimal(100_000)
_OTHER_BUYER = credit_code(10_000_002)
_FIRST_DAY = date(2026, 1, 2)
_DAYS = 350
_GOODS = (("*纸制品*复印纸", 13), ("*餐饮服务*餐费", 6), ("*运输服务*货运费", 9), ("*信息技术服务*软件服务费", 6))
_OWN_SELLERS = 5_000_000
"""From here on serials of sellers that one planted invoice (or one planted group) has to itself."""


@dataclass(frozen=True)
class Paper:
    """One invoice before it is written; what isn't given follows from net and rate."""

    seller: int
    """The serial of the seller's id."""
    number: str
    day: date
    goods: str
    rate: int
    net: Decimal
    seller_id: str = ""
    buyer_id: str = COMPANY_ID
    total: Decimal | None = None
    line_tax: Decimal | None = None
    words: str = ""
    flag: str = "Y"
    remark: str = ""

    @property
    def tax(self) -> Decimal:
        return cents(self.net * self.rate / 100)

    def xml(self) -> str:
        total = self.net + self.tax if self.total is None else self.total
        line_tax = self.tax if self.line_tax is None else self.line_tax
        return _XML.format(
            number=self.number,
            flag=self.flag,
            seller_id=self.seller_id or credit_code(self.seller),
            seller=_name(self.seller),
            buyer_id=self.buyer_id,
            buyer=COMPANY,
            net=self.net,
            tax=self.tax,
            total=total,
            words=self.words or capitals(total),
            day=self.day,
            goods=self.goods,
            rate=f"{self.rate / 100:.6f}",
            line_tax=line_tax,
            remark=self.remark,
        )


_XML = """<?xml version="1.0" encoding="UTF-8"?>
<EInvoice>
  <Header><EIid>{number}</EIid><EInvoiceTag>SWEI9900</EInvoiceTag><Version>0.2</Version>
    <InherentLabel><InIssuType><LabelCode>{flag}</LabelCode></InIssuType>
      <GeneralOrSpecialVAT><LabelCode>02</LabelCode></GeneralOrSpecialVAT></InherentLabel></Header>
  <EInvoiceData>
    <SellerInformation><SellerIdNum>{seller_id}</SellerIdNum><SellerName>{seller}</SellerName></SellerInformation>
    <BuyerInformation><BuyerIdNum>{buyer_id}</BuyerIdNum><BuyerName>{buyer}</BuyerName></BuyerInformation>
    <BasicInformation><TotalAmWithoutTax>{net}</TotalAmWithoutTax><TotalTaxAm>{tax}</TotalTaxAm>
      <TotalTax-includedAmount>{total}</TotalTax-includedAmount>
      <TotalTax-includedAmountInChinese>{words}</TotalTax-includedAmountInChinese>
      <RequestTime>{day} 10:08:05</RequestTime></BasicInformation>
    <IssuItemInformation><ItemName>{goods}</ItemName><Quantity>1</Quantity><UnPrice>{net}</UnPrice>
      <Amount>{net}</Amount><TaxRate>{rate}</TaxRate><ComTaxAm>{line_tax}</ComTaxAm></IssuItemInformation>
    <AdditionalInformation><Remark>{remark}</Remark></AdditionalInformation>
  </EInvoiceData>
  <TaxSupervisionInfo><InvoiceNumber>{number}</InvoiceNumber><IssueTime>{day}</IssueTime></TaxSupervisionInfo>
</EInvoice>
"""


def _name(serial: int) -> str:
    return f"示例供应商{serial}有限公司"


@dataclass(frozen=True)
class Planted:
    """What must become of one file: its end, the rules that must ask (and no others), a reason, who was first."""

    end: str = "booked"
    rules: frozenset[str] = frozenset()
    reason: str = ""
    first: str = ""


CLEAN = Planted()


@dataclass(frozen=True)
class Crowd:
    """How many invoices there are, and how many sellers write them."""

    invoices: int

    @property
    def sellers(self) -> int:
        return max(10, min(5_000, self.invoices // 20))

    def paper(self, place: int) -> Paper:
        """The clean invoice of this place."""
        chance = random.Random(place)
        goods, rate = _GOODS[place % len(_GOODS)]
        day = _FIRST_DAY + timedelta(days=chance.randrange(_DAYS))
        net = Decimal(chance.randrange(5_000, 2_000_000)) / 100
        # Steps of 97 keep numbers from following one another; a run of them is a signal of its own.
        number = f"2699{place * 97:016d}"
        return Paper(20_000_000 + chance.randrange(self.sellers), number, day, goods, rate, net)

    def earlier(self, place: int) -> int:
        """A clean place long before this one, another for each."""
        found = place // 3
        return found + 1 if found % EVERY == AT else found


Fault = Callable[[Crowd, int, Paper], tuple[str | bytes, Planted]]


def asks(*rules: str) -> Planted:
    return Planted("waiting", frozenset(rules))


def _with(expected: Planted, **changed: object) -> Fault:
    return lambda _, __, paper: (replace(paper, **changed).xml(), expected)  # type: ignore[arg-type]


def _own(place: int, paper: Paper) -> Paper:
    return replace(paper, seller=_OWN_SELLERS + place)


def _broken_id(_: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    own = _own(place, paper)
    whole = credit_code(own.seller)
    return replace(own, seller_id=whole[:11] + whole[12:]).xml(), asks("seller_tax_id", "known_seller")


def _unknown_seller(_: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    return _own(place, paper).xml(), asks("known_seller")


def _another_id(crowd: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    """The name of a seller who billed before, beside an id that nobody knows."""
    known = crowd.paper(crowd.earlier(place)).seller
    other = replace(paper, seller=known, seller_id=credit_code(_OWN_SELLERS + place))
    return other.xml(), asks("one_tax_id", "known_seller")


def _wrong_sum(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, total=paper.net + paper.tax + 9).xml(), asks("net_tax_total")


def _wrong_words(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, words=capitals(paper.net + paper.tax + 100)).xml(), asks("capital_total")


def _line_tax(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, line_tax=paper.tax + 5).xml(), asks("line_tax", "lines_sum")


def _future(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, day=TODAY + timedelta(days=1)).xml(), asks("date_future")


def _last_year(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    old = replace(paper, number="25" + paper.number[2:], day=date(2025, 11, 3))
    return old.xml(), asks("date_fiscal_year", "date_old")


def _short_number(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, number=paper.number[:19]).xml(), asks("number_shape")


def _twice(crowd: Crowd, place: int, _: Paper) -> tuple[str, Planted]:
    first = crowd.earlier(place)
    return crowd.paper(first).xml(), Planted("duplicate", frozenset({"duplicate"}), first=name_of(first))


def _twice_otherwise(crowd: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    """The same invoice in other bytes."""
    content, expected = _twice(crowd, place, paper)
    return content.replace("\n", "\r\n"), expected


def _near(crowd: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    first = crowd.paper(crowd.earlier(place))
    return replace(first, number=paper.number).xml(), asks("near_duplicate")


def _red(crowd: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    """A red letter that takes back an earlier invoice."""
    first = crowd.paper(crowd.earlier(place))
    remark = f"被红冲蓝字数电发票号码：{first.number}"
    return replace(first, number=paper.number, net=-first.net, flag="N", remark=remark).xml(), asks("red_letter")


def _foreign_red(crowd: Crowd, place: int, paper: Paper) -> tuple[str, Planted]:
    """A red letter that takes back what another seller wrote."""
    first = crowd.paper(crowd.earlier(place))
    other = 20_000_000 + (first.seller - 20_000_000 + 1) % crowd.sellers
    remark = f"被红冲蓝字数电发票号码：{first.number}"
    red = replace(first, seller=other, number=paper.number, net=-first.net, flag="N", remark=remark)
    return red.xml(), asks("red_letter", "red_pair")


def _flag(_: Crowd, __: int, paper: Paper) -> tuple[str, Planted]:
    return replace(paper, flag="N").xml(), asks("red_signs", "red_letter")


def _cut(_: Crowd, __: int, paper: Paper) -> tuple[bytes, Planted]:
    return paper.xml().encode()[:900], Planted("unreadable", reason="broken_xml")


def _doctype(_: Crowd, __: int, paper: Paper) -> tuple[bytes, Planted]:
    body = paper.xml().partition("?>")[2].encode()
    return DOCTYPE + body, Planted("unreadable", reason="doctype")


FAULTS: Mapping[str, Fault] = {
    "over the limit": lambda _, __, paper: (replace(paper, net=LIMIT + place_of(paper)).xml(), asks("amount_limit")),
    "seller's tax id without a digit": _broken_id,
    "unknown seller": _unknown_seller,
    "known name beside another tax id": _another_id,
    "net + tax is not the total": _wrong_sum,
    "capital numerals of another amount": _wrong_words,
    "line's tax is not net x rate": _line_tax,
    "another buyer's tax id": _with(asks("buyer_tax_id"), buyer_id=_OTHER_BUYER),
    "dated tomorrow": _future,
    "of a closed year": _last_year,
    "number of 19 digits": _short_number,
    "the same file again": _twice,
    "the same invoice in other bytes": _twice_otherwise,
    "same seller, day and total": _near,
    "red letter of an earlier invoice": _red,
    "red letter of another's invoice": _foreign_red,
    "blue invoice flagged red": _flag,
    "rate that no law knows": lambda _, __, paper: (replace(paper, rate=12).xml(), asks("rate_allowed")),
    "cut off": _cut,
    "carries a DOCTYPE": _doctype,
    "empty": lambda *_: (b" \n", Planted("unreadable", reason="empty")),
    "no invoice": lambda *_: (b"<note>lunch at noon</note>", Planted("unreadable", reason="unknown_form")),
}


def place_of(paper: Paper) -> int:
    """The place that a paper's number carries."""
    return int(paper.number[4:]) // 97


def name_of(place: int) -> str:
    """The file of a place, as the audit names it."""
    return f"{place // A_FOLDER:04d}/{place:07d}.xml"


def write(folder: Path, count: int) -> dict[str, tuple[str, Planted]]:
    """Write `count` files; returns file -> (which fault, what must become of it) for the planted ones."""
    crowd, planted, kinds = Crowd(count), {}, list(FAULTS)
    for place in range(count):
        content: str | bytes = crowd.paper(place).xml()
        path = folder / name_of(place)
        if place % A_FOLDER == 0:
            path.parent.mkdir(parents=True)
        if place % EVERY == AT:
            kind = kinds[place // EVERY % len(kinds)]
            content, expected = FAULTS[kind](crowd, place, crowd.paper(place))
            planted[name_of(place)] = (kind, expected)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return planted


def write_policy(folder: Path, count: int) -> Path:
    """The policy and its register of sellers, beside the folder of invoices."""
    rows = [f"seller,{credit_code(20_000_000 + n)},{_name(20_000_000 + n)}" for n in range(Crowd(count).sellers)]
    (folder / "register.csv").write_text("\n".join(["kind,value,name", *rows]), "utf-8")
    path = folder / "policy.toml"
    path.write_text(_POLICY.format(company=COMPANY, company_id=COMPANY_ID, limit=LIMIT), "utf-8")
    return path


_POLICY = """[company]
names = ["{company}"]
tax_ids = ["{company_id}"]

[limits]
amount = "{limit}.00"

[register]
file = "register.csv"
"""
