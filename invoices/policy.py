"""The company's policy: one validated TOML file and the registers it names; a wrong one is refused with its line."""

import csv
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from foundation.errors import PolicyError
from invoices.identity import normal_id
from invoices.names import normal_name
from invoices.policy_parts import (
    CATEGORIES,
    Amount,
    Approval,
    Blacklist,
    Branch,
    Cap,
    Company,
    Dates,
    Level,
    Limits,
    Listed,
    Lookup,
    Lowered,
    Oversight,
    Part,
    Rate,
    Register,
    Related,
    Seller,
    Vat,
)

__all__ = [
    "Amount",
    "Approval",
    "Blacklist",
    "Branch",
    "Cap",
    "Company",
    "Dates",
    "Level",
    "Limits",
    "Listed",
    "Lookup",
    "Lowered",
    "Oversight",
    "Policy",
    "Rate",
    "Register",
    "Related",
    "Seller",
    "Vat",
    "load_policy",
]


_MOST_CLASSES = 4096


class Policy(Part):
    """The whole policy, registers included, so that a batch is finished under the policy it began with."""

    company: Company
    limits: Limits = Limits()
    approval: Approval = Approval()
    oversight: Oversight = Oversight()
    rates: Mapping[str, Rate] = Field(default_factory=dict)
    known: Register | None = Field(default=None, alias="register")
    """None when the company keeps no register: the register's checks are then not executed, and the report says so."""
    caps: tuple[Cap, ...] = ()
    dates: Dates = Dates()
    vat: Vat = Vat()
    lookup: Lookup = Lookup()
    blacklists: tuple[Blacklist, ...] = ()
    categories: Mapping[str, tuple[str, ...]] = Field(default_factory=lambda: dict(CATEGORIES))
    schematron: str | None = None
    """The user's own compiled schematron, run over every UBL and CII invoice; a path, made absolute when loaded."""
    off: tuple[str, ...] = ()
    """Rules that the company switched off, by id; the report lists them. A hard rule only by `lowered`."""
    severity: Mapping[str, Level] = Field(default_factory=dict)
    """Rule -> a stricter severity than the rule's own."""
    lowered: tuple[Lowered, ...] = ()
    """Rule by rule, a milder severity than the rule's own, with name, day and reason."""

    @cached_property
    def digest(self) -> str:
        """A hash of all that the policy says: what was approved, was approved under this."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()[:32]

    @cached_property
    def company_ids(self) -> frozenset[str]:
        """The company's tax ids in normal form."""
        branches = (branch.tax_id for branch in self.company.branches)
        return frozenset(normal_id(tax_id) for tax_id in (*self.company.tax_ids, *branches))

    @cached_property
    def company_names(self) -> frozenset[str]:
        """The names of the company and its branches, in normal form."""
        branches = (branch.name for branch in self.company.branches)
        return frozenset(normal_name(name) for name in (*self.company.names, *branches))

    @cached_property
    def related_keys(self) -> frozenset[str]:
        """Tax ids and names of related firms, in normal form."""
        keys = {normal_id(firm.tax_id) for firm in self.company.related}
        return frozenset(keys | {normal_name(firm.name) for firm in self.company.related}) - {""}

    @cached_property
    def levels(self) -> Mapping[str, Level | Literal["off"]]:
        """Rule -> the severity in force (or "off") where the company set one."""
        return {**dict.fromkeys(self.off, "off"), **self.severity, **{entry.rule: entry.to for entry in self.lowered}}

    def categories_in(self, words: str) -> tuple[str, ...]:
        """The categories of expense that these goods classes belong to, in the policy's order."""
        found = self._categories_seen.get(words)
        if found is None:
            marks = self.categories.items()
            found = tuple(name for name, parts in marks if any(part in words for part in parts))
            if len(self._categories_seen) < _MOST_CLASSES:
                self._categories_seen[words] = found
        return found

    @cached_property
    def _categories_seen(self) -> dict[str, tuple[str, ...]]:
        return {}

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
    _read_files(path, text, data)
    try:
        policy = Policy.model_validate(data)
    except ValidationError as error:
        raise PolicyError(_explain(path, text, error)) from None
    _judge_levels(path, text, policy)
    return policy


def _read_files(path: Path, text: str, data: dict[str, Any]) -> None:
    """Put the contents of the files that the policy names in their place (paths are relative to the policy)."""
    register = data.get("register")
    if isinstance(register, dict) and isinstance(register.get("file"), str):
        data["register"] = _read_register(path.parent / register["file"])
    for number, entry in enumerate(_tables(data.get("blacklists"))):
        if isinstance(entry.get("file"), str):
            entry["entries"] = _read_blacklist(path.parent / entry.pop("file"))
        elif "entries" not in entry:
            line = _line_of(text, ["blacklists", number])
            raise PolicyError(f"{path}:{line}: blacklists: needs `file`, a CSV with the headings tax_id,name,reason")
    if isinstance(data.get("schematron"), str):
        data["schematron"] = str((path.parent / data["schematron"]).absolute())
    lookup = data.get("lookup")
    if isinstance(lookup, dict) and isinstance(lookup.get("file"), str):
        answers = (path.parent / lookup["file"]).resolve()
        if not answers.is_file():
            raise PolicyError(f"{path}:{_line_of(text, ['lookup', 'file'])}: lookup.file: there is no file {answers}")
        lookup["file"] = str(answers)


def _tables(value: object) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _judge_levels(path: Path, text: str, policy: Policy) -> None:
    """Refuse unknown rules, and severities below the rule's own except by `lowered` (name, day and reason)."""
    from invoices.checks.table import SEVERITIES  # the rules import the policy, so it asks them only here

    named = [("off", rule, "off") for rule in policy.off]
    named += [("severity", rule, level) for rule, level in policy.severity.items()]
    named += [("lowered", entry.rule, entry.to) for entry in policy.lowered]
    for key, rule, level in named:
        where = f"{path}:{_line_of(text, [key, rule])}: {key}: "
        own = SEVERITIES.get(rule)
        if own is None:
            raise PolicyError(f"{where}there is no rule {rule!r}")
        if key == "severity" and _RANK[level] < _RANK[own]:
            raise PolicyError(
                f"{where}{rule} is {own}: a milder severity needs [[lowered]] with rule, to, by, on, reason"
            )
        if key == "off" and own == "hard":
            raise PolicyError(f"{where}{rule} is a hard rule: off needs [[lowered]] with rule, to, by, on, reason")


_RANK = {"off": 0, "hint": 1, "review": 2, "hard": 3}


def _read_blacklist(path: Path) -> list[dict[str, str]]:
    """A CSV with the headings `tax_id,name,reason`; each row needs a tax id or a name."""
    try:
        rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: the blacklist can't be read ({error}): save it as UTF-8 CSV") from None
    entries = []
    for number, row in enumerate(rows, start=2):
        entry = {key: (row.get(key) or "").strip() for key in ("tax_id", "name", "reason")}
        if not entry["tax_id"] and not entry["name"]:
            raise PolicyError(f"{path}:{number}: a blacklist row needs tax_id or name")
        entries.append(entry)
    return entries


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
    keys = list(first["loc"])
    return f"{path}:{_line_of(text, keys)}: {'.'.join(map(str, keys))}: {first['msg']}"


def _line_of(text: str, keys: Sequence[str | int]) -> int:
    """The line of the deepest key that the file names (1 where none is named); a number picks the n-th [[table]]."""
    lines, found = text.splitlines(), 0
    for position, key in enumerate(keys):
        if isinstance(key, int):
            heads = [n for n, line in enumerate(lines) if line.strip() == f"[[{keys[position - 1]}]]"]
            found = heads[key] if key < len(heads) else found
        else:
            shape = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
            found = next((n for n in range(found, len(lines)) if _mentions(lines[n], shape)), found)
    return found + 1


def _mentions(line: str, shape: re.Pattern[str]) -> bool:
    return not line.lstrip().startswith("#") and bool(shape.search(line))
