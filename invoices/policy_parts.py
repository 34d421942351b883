"""The parts of the company's policy, each validated: who we are, what is booked unseen, which lists and rates hold."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from invoices.identity import normal_id
from invoices.names import normal_name


def _amount(value: object) -> object:
    if isinstance(value, float):
        raise ValueError(  # noqa: TRY004 - pydantic reports a ValueError with the field
            'write amounts in quotes ("100000.00"): a bare fraction is not exact'
        )
    return value


Amount = Annotated[Decimal, BeforeValidator(_amount), PlainSerializer(str)]


class Part(BaseModel):
    """What all parts share: nothing unknown is accepted, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Branch(Part):
    """A branch with a name and a tax id of its own; invoices made out to it are the company's, too."""

    name: str = Field(min_length=1)
    tax_id: str = Field(min_length=1)


class Related(Part):
    """A firm close to the company or to an employee: buying from it is looked at."""

    name: str = ""
    tax_id: str = ""


class Company(Part):
    """Who we are: the buyer that every invoice must name."""

    names: tuple[str, ...] = Field(min_length=1)
    tax_ids: tuple[str, ...] = Field(min_length=1)
    branches: tuple[Branch, ...] = ()
    related: tuple[Related, ...] = ()
    person_as_buyer: bool = False
    """Whether an invoice made out to a private person is reimbursed without a person looking at it."""


class Limits(Part):
    """What is booked without a person."""

    currency: str = Field(default="CNY", pattern=r"^[A-Z]{3}$")
    amount: Amount = Field(default=Decimal("100000.00"), gt=0)
    """A total of this much or more waits for a person (inclusive), in `currency`."""
    batch_budget: Amount | None = Field(default=None, gt=0)
    """What one batch may book in all without a person, in `currency`."""
    confidence: float = Field(default=0.8, ge=0, le=1)
    """A needed field read less surely than this waits for a person."""
    attempts: int = Field(default=3, ge=2)
    """The same correction refused so often asks with the loop trigger."""
    max_age_days: int = Field(default=365, gt=0)
    split_days: int = Field(default=7, ge=1, le=62)
    """Invoices of one seller within so many days are added up and held against the limit."""
    band_percent: int = Field(default=90, ge=50, le=99)
    """A total from this share of the limit up to the limit is noticed."""
    round_to: Amount = Field(default=Decimal("1000"), gt=0)
    """A total that is a multiple of this is noticed."""


class Approval(Part):
    """Who must approve what waits, and by when."""

    second_person_from: Amount | None = Field(default=None, gt=0)
    """A total of this much or more needs two different people (inclusive), in the limits' currency."""
    second_person_for: tuple[Literal["account", "amount"], ...] = ()
    """Two people where the seller's account isn't one of the known ones, or where a person corrected an amount."""
    override_reason: bool = False
    """Whether an approval over a hard rule needs a reason. (LangChain's own approval has no place for one.)"""
    due_days: int = Field(default=3, ge=1, le=365)
    remind_days: int = Field(default=1, ge=0)
    """So many days before it is due whoever it waits for is reminded."""
    escalate_days: int = Field(default=1, ge=1)
    """So many days between the hops once it is due: reviewers, managers, admins."""
    work_days: bool = True
    """Whether the three above are days of work in `dates.region`, not days of any kind."""
    expire_days: int | None = Field(default=365, ge=1)
    """After so many days it expires: never booked, and it can be opened again."""

    @model_validator(mode="after")
    def _in_order(self) -> "Approval":
        if self.remind_days >= self.due_days:
            raise ValueError("remind_days must be less than due_days: a reminder comes before the day")
        if self.expire_days is not None and self.expire_days <= self.due_days:
            raise ValueError("expire_days must be more than due_days: nothing expires before it is due")
        return self


Degree = Literal["hitl", "hotl", "hootl", "shadow"]


class Oversight(Part):
    """How closely people watch: the degree, what a run may do in all, and how much of what passed is sampled."""

    degree: Degree = "hitl"
    """hitl: what hits a rule waits. hotl: the run goes on, limits pull the brake. hootl: nobody is asked, what hits a
    rule is held, a breaker ends the run. shadow: only advises."""
    actions: Mapping[str, Degree] = Field(default_factory=dict)
    """Action -> its own degree; booking an invoice is `book_invoice`."""
    batch_count: int | None = Field(default=None, gt=0)
    """How many invoices one batch may book without a person (hotl, hootl)."""
    loss: Amount | None = Field(default=None, gt=0)
    """What duplicates, broken hard rules and reversals of one batch may be worth before it is stopped (hotl, hootl)."""
    failure_rate: Amount | None = Field(default=None, ge=0, le=1)
    """The share of one batch that may be unreadable, duplicate or break a hard rule (hotl, hootl)."""
    failures_from: int = Field(default=10, ge=1)
    """From so many examined invoices on the share is judged."""
    at_once: int = Field(default=10, ge=1, le=50)
    """So many files are examined between two looks at changed limits (hotl)."""
    sample_one_in: int | None = Field(default=None, ge=1)
    """One in so many of what passed by itself is put before a person afterwards."""
    seed: str = ""
    """Makes the draw this company's own; who brings invoices in must not know it."""

    def degree_of(self, action: str) -> Degree:
        """The degree of oversight of this action."""
        return self.actions.get(action, self.degree)


class Cap(Part):
    """A further limit: what one invoice, person and day, person and month, or trip may cost (inclusive)."""

    per: Literal["invoice", "day", "month", "trip"]
    amount: Amount = Field(gt=0)
    category: str | None = None
    """Only for claims of this category; without one, for all together."""
    person: str | None = None
    """Only for this submitter; without one, for everybody (each on their own)."""
    per_head: bool = False
    """Whether the amount is for each person of the claim (a dinner for four may cost four times as much)."""


class Dates(Part):
    """Which invoice dates are ordinary."""

    fiscal_year_start: str = Field(default="01-01", pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
    window_ends: str = Field(default="05-31", pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
    """An invoice of the fiscal year before is still open up to this day of the year after it."""
    grace_days: int = Field(default=90, ge=0, le=730)
    """So long after a change of tax rates the old rate is still ordinary (red letter and new invoice)."""
    trip_days: int = Field(default=7, ge=0)
    """An invoice dated so many days outside its trip is still ordinary."""
    holiday_categories: tuple[str, ...] = ("office", "training", "services")
    """Categories of expense that are unusual on a day off."""
    region: str = Field(default="CN", pattern=r"^[A-Z]{2}$")
    """Whose days off count (ISO 3166)."""

    @model_validator(mode="after")
    def _real_days(self) -> "Dates":
        for text in (self.fiscal_year_start, self.window_ends):
            try:
                date.fromisoformat(f"2023-{text}")
            except ValueError:
                raise ValueError(f"{text} is no day of every year") from None
        return self


class Vat(Part):
    """How strictly VAT ids are judged."""

    demo: bool = False
    """Sample data carry invented ids: they are then only noticed."""
    severity: Literal["hard", "review", "hint"] = "review"
    countries: Mapping[str, Literal["hard", "review", "hint"]] = Field(default_factory=dict)
    """Country prefix -> severity where it differs."""


class Lookup(Part):
    """The tax office's answers."""

    file: str | None = None
    """A CSV with answers; the path is made absolute when the policy is loaded."""
    required: bool = False
    """Whether an invoice without an answer waits for a person."""
    patience_days: int = Field(default=1, ge=0)
    """So many days after its date an invoice may still be unknown to the tax office."""


class Listed(Part):
    """One firm on a list."""

    tax_id: str = ""
    name: str = ""
    reason: str = ""


class Blacklist(Part):
    """One imported list, with the day and the place it is from, so that a hit says which version of which list."""

    source: str = Field(min_length=1)
    on: date
    entries: tuple[Listed, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Listed]:
        """Tax id and name in normal form -> the entry."""
        named = {normal_name(entry.name): entry for entry in self.entries if entry.name}
        return named | {normal_id(entry.tax_id): entry for entry in self.entries if entry.tax_id}


Level = Literal["hard", "review", "hint"]


class Lowered(Part):
    """A hard rule that the company takes less seriously: who decided it, when and why; the report lists it."""

    rule: str
    to: Literal["review", "hint", "off"]
    by: str = Field(min_length=1)
    on: date
    reason: str = Field(min_length=10)


CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "meals": ("餐饮",),
    "lodging": ("住宿",),
    "transport": ("运输服务", "客运", "交通", "出租", "铁路", "航空", "通行费", "机票", "网约车"),
    "fuel": ("汽油", "柴油", "成品油", "充电"),
    "office": ("文具", "办公", "纸制品", "计算机", "打印"),
    "entertainment": ("娱乐服务", "文化体育", "旅游服务"),
    "training": ("教育", "培训", "非学历"),
    "services": ("咨询", "信息技术", "软件", "研发", "现代服务", "物流", "设计服务", "鉴证"),
    "daily": ("居民日常服务", "生活服务", "美容", "洗浴"),
    "welfare": ("福利",),
    "loan": ("贷款服务", "利息"),
}
"""Category of a claim -> words in the tax goods classes that belong to it; a policy may say otherwise."""


class Rate(Part):
    """What one unit of a currency is worth in the policy's currency, and where that was read."""

    value: Amount = Field(gt=0)
    on: date
    source: str


class Seller(Part):
    """One known seller."""

    tax_id: str
    name: str = ""


class Register(Part):
    """What the company already knows: sellers, and invoice codes it was sold or has verified."""

    sellers: tuple[Seller, ...] = ()
    codes: tuple[str, ...] = ()

    @cached_property
    def known_codes(self) -> frozenset[str]:
        """The invoice codes, for look-ups."""
        return frozenset(self.codes)

    @cached_property
    def seller_ids(self) -> frozenset[str]:
        """The tax ids of all known sellers, in normal form."""
        return frozenset(self._by_id)

    @cached_property
    def _by_id(self) -> Mapping[str, tuple[Seller, ...]]:
        found: dict[str, tuple[Seller, ...]] = {}
        for seller in self.sellers:
            tax_id = normal_id(seller.tax_id)
            found[tax_id] = (*found.get(tax_id, ()), seller)
        return found

    def sellers_of(self, tax_id: str) -> tuple[Seller, ...]:
        """The entries with this tax id (in normal form)."""
        return self._by_id.get(tax_id, ())
