"""The company's policy: one validated TOML file and the registers it names; a wrong one is refused with its line."""

import csv
import hashlib
import json
import tomllib
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from foundation.errors import PolicyError
from invoices.identity import normal_id


def _amount(value: object) -> object:
    if isinstance(value, float):
        raise ValueError(  # noqa: TRY004 - pydantic reports a ValueError with the field
            'write amounts in quotes ("100000.00"): a bare fraction is not exact'
        )
    return value


Amount = Annotated[Decimal, BeforeValidator(_amount), PlainSerializer(str)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Company(_Part):
    """Who we are: the buyer that every invoice must name."""

    names: tuple[str, ...] = Field(min_length=1)
    tax_ids: tuple[str, ...] = Field(min_length=1)


class Limits(_Part):
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


class Rate(_Part):
    """What one unit of a currency is worth in the policy's currency, and where that was read."""

    value: Amount = Field(gt=0)
    on: date
    source: str


class Seller(_Part):
    """One known seller."""

    tax_id: str
    name: str = ""


class Register(_Part):
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
        return frozenset(normal_id(seller.tax_id) for seller in self.sellers)


class Policy(_Part):
    """The whole policy, registers included, so that a batch is finished under the policy it began with."""

    company: Company
    limits: Limits = Limits()
    rates: Mapping[str, Rate] = Field(default_factory=dict)
    known: Register | None = Field(default=None, alias="register")
    """None when the company keeps no register: the register's checks are then not executed, and the report says so."""
    off: tuple[str, ...] = ()
    """Rules that the company switched off, by id; the report lists them."""

    @cached_property
    def digest(self) -> str:
        """A hash of all that the policy says: what was approved, was approved under this."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()[:32]

    @cached_property
    def company_ids(self) -> frozenset[str]:
        """The company's tax ids in normal form."""
        return frozenset(normal_id(tax_id) for tax_id in self.company.tax_ids)

    def to_text(self) -> str:
        """The policy as JSON, the same text for the same policy."""
        return json.dumps(
            self.model_dump(mode="json", by_alias=True), ensure_ascii=False, sort_keys=True, default=sorted
        )

    @classmethod
    def from_text(cls, text: str) -> "Policy":
        """The policy back from its JSON."""
        return cls.model_validate_json(text)

    def worth(self, amount: Decimal, currency: str) -> Decimal | None:
        """`amount` in the policy's currency, None where no rate for `currency` is given."""
        if currency in {"", self.limits.currency}:
            return amount
        rate = self.rates.get(currency)
        return amount * rate.value if rate else None


def load_policy(path: Path) -> Policy:
    """Read and validate a policy file and the register files it names (paths are relative to the policy).

    Raises:
        PolicyError: the file is missing, no TOML, or says something that isn't allowed; names file and line.
    """
    try:
        text = path.read_text("utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        raise PolicyError(f"{path}: {error.strerror}: name an existing policy file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: no valid TOML: {error}") from None
    register = data.get("register")
    if isinstance(register, dict) and isinstance(register.get("file"), str):
        data["register"] = _read_register(path.parent / register["file"])
    try:
        return Policy.model_validate(data)
    except ValidationError as error:
        raise PolicyError(_explain(path, text, error)) from None


def _read_register(path: Path) -> dict[str, Any]:
    """A CSV with the headings `kind,value,name`: kind `seller` (value: tax id) or `code` (value: invoice code)."""
    try:
        rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: the register can't be read ({error}): save it as UTF-8 CSV") from None
    sellers, codes = [], []
    for number, row in enumerate(rows, start=2):
        kind, value = (row.get("kind") or "").strip(), (row.get("value") or "").strip()
        if kind not in {"seller", "code"} or not value:
            raise PolicyError(f"{path}:{number}: a register row needs kind (seller or code) and value")
        if kind == "seller":
            sellers.append({"tax_id": value, "name": (row.get("name") or "").strip()})
        else:
            codes.append(value)
    return {"sellers": sellers, "codes": codes}


def _explain(path: Path, text: str, error: ValidationError) -> str:
    first = error.errors()[0]
    keys = [str(part) for part in first["loc"]]
    return f"{path}:{_line_of(text, keys)}: {'.'.join(keys)}: {first['msg']}"


def _line_of(text: str, keys: list[str]) -> int:
    """The line of the deepest key that the file names (1 where none is named)."""
    lines, found = text.splitlines(), 0
    for key in keys:
        found = next((n for n in range(found, len(lines)) if lines[n].lstrip(' ["').startswith(key)), found)
    return found + 1
