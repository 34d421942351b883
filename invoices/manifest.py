"""Who hands in which file, and for what: from the command's options, or from a manifest."""

import csv
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from datetime import date
from pathlib import Path
from typing import Any

from foundation.errors import UsageError
from invoices.history import Claim

HEADINGS = ("file", "submitter", "claim", "trip", "category", "cost_centre", "people", "trip_start", "trip_end")
"""The manifest's columns; all but `file` may be missing or empty. People are separated by semicolons."""

_RENAMED = {"claim": "claim_id"}
_DAYS = {"trip_start", "trip_end"}


def read_manifest(path: Path, otherwise: Claim) -> dict[str, Claim]:
    """File name (as the batch lists it) -> its claim; what a row leaves empty is as in `otherwise`.

    Raises:
        UsageError: the file can't be read, or a row is wrong; names the line.
    """
    try:
        rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: the manifest can't be read ({error}): save it as UTF-8 CSV") from None
    unknown = sorted({name for row in rows for name in row if name not in HEADINGS})
    if unknown or (rows and "file" not in rows[0]):
        raise UsageError(
            f"{path}:1: a manifest has the headings {', '.join(HEADINGS)}; not {', '.join(unknown) or '-'}"
        )
    return {
        (row["file"] or "").strip(): replace(otherwise, **_given(path, line, row))
        for line, row in enumerate(rows, start=2)
    }


def claim_to_json(claim: Claim) -> dict[str, Any]:
    """The claim as plain data, without what nobody said."""
    said = {name: value for name, value in asdict(claim).items() if value}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in said.items()}


def claim_from_json(data: Mapping[str, Any]) -> Claim:
    """The claim back from plain data."""
    known = {field.name for field in fields(Claim)}
    values: dict[str, Any] = {name: value for name, value in data.items() if name in known}
    values |= {name: date.fromisoformat(values[name]) for name in _DAYS & values.keys()}
    return Claim(**{**values, "people": tuple(values.get("people", ()))})


def _given(path: Path, line: int, row: Mapping[str, str | None]) -> dict[str, Any]:
    texts = {name: (row.get(name) or "").strip() for name in HEADINGS}
    if not texts.pop("file"):
        raise UsageError(f"{path}:{line}: a manifest row needs the file's name")
    given: dict[str, Any] = {_RENAMED.get(name, name): text for name, text in texts.items() if text}
    if "people" in given:
        given["people"] = tuple(name.strip() for name in given["people"].split(";") if name.strip())
    for name in _DAYS & given.keys():
        try:
            given[name] = date.fromisoformat(given[name])
        except ValueError:
            raise UsageError(f"{path}:{line}: {name} is {given[name]!r}: write it as YYYY-MM-DD") from None
    return given
