"""Folders of generated invoices with their policy: clean ones, and ones that must wait for a person."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Literal

from examples import make_fifty
from examples.make_fifty import CENT, COMPANY, SELLERS, Sample, einvoice, lines, made_up_uscc

Doubt = Literal["over_limit", "broken_id", "unknown_seller", "wrong_total"]

WRONG_TOTAL = "10.00"
"""What an invoice with the doubt `wrong_total` says its total is."""
_FIRST_DAY = date(2026, 9, 1)
_POLICY = """[company]
names = ["{company}"]
tax_ids = ["{company_id}"]

[limits]
amount = "100000.00"
max_age_days = 36500
{limits}
[register]
file = "register.csv"
"""


@dataclass(frozen=True)
class Papers:
    """A folder of invoices, the policy beside them, and the sellers that the register knows."""

    folder: Path
    policy: Path
    company_id: str
    sellers: tuple[str, ...]

    def write(self, name: str, sample: Sample) -> Path:
        """One more invoice in the folder."""
        make_fifty.COMPANY_ID = self.company_id
        path = self.folder / name
        path.write_text(einvoice(sample), "utf-8")
        return path


def make_papers(root: Path, *, clean: int, doubtful: tuple[Doubt, ...] = (), seed: int = 1, limits: str = "") -> Papers:
    """`clean` invoices that nobody need look at, then the doubtful ones, all with ids of their own."""
    chance = random.Random(seed)
    folder = root / "papers"
    folder.mkdir(parents=True)
    company_id = made_up_uscc(chance)
    sellers = tuple(made_up_uscc(chance) for _ in SELLERS)
    register = ["kind,value,name", *(f"seller,{seller},{SELLERS[n][0]}" for n, seller in enumerate(sellers))]
    (root / "register.csv").write_text("\n".join(register), "utf-8")
    policy = root / "policy.toml"
    policy.write_text(_POLICY.format(company=COMPANY, company_id=company_id, limits=limits), "utf-8")
    papers = Papers(folder, policy, company_id, sellers)
    for number in range(clean):
        papers.write(f"{number:05d}.xml", make_sample(papers, chance, number))
    for number, doubt in enumerate(doubtful):
        sample = make_sample(papers, chance, 900_000 + number, doubt)
        path = papers.write(f"doubtful-{number:03d}.xml", sample)
        if doubt == "wrong_total":
            right, wrong = (f"includedAmount>{total}<" for total in (sample.total, WRONG_TOTAL))
            path.write_text(path.read_text("utf-8").replace(right, wrong), "utf-8")
    return papers


def make_sample(papers: Papers, chance: random.Random, number: int, doubt: Doubt | None = None) -> Sample:
    """One invoice; its number is unique for `number`, and `doubt` is the one thing wrong with it."""
    which = number % len(SELLERS)
    name, item, rate = SELLERS[which]
    seller_id = papers.sellers[which]
    amounts = lines(chance, 800_000)
    if doubt == "over_limit":
        amounts = ((Decimal(100_000 + number % 1000) / (1 + Decimal(rate) / 100)).quantize(CENT, ROUND_HALF_UP) + CENT,)
    if doubt == "broken_id":
        seller_id = seller_id[:11] + seller_id[12:]
    if doubt == "unknown_seller":
        # The same stranger for the same name: two ids under one name would be a reason of its own.
        seller_id = made_up_uscc(random.Random(f"stranger {which}"))
        name = f"{name}（新）"
    digits = f"2699{number:08d}{chance.randrange(10**8):08d}"
    day = _FIRST_DAY + timedelta(days=number % 60)
    return Sample(name, seller_id, digits, day, item, Decimal(rate), amounts)
