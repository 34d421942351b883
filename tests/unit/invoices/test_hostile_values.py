"""Whatever stands in an invoice, every rule comes to an answer: nothing raises, and nothing is lost in plain data."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from invoices.checks import examine
from invoices.checks.duplicates import invoice_key
from invoices.findings import Finding
from invoices.history import past_of
from invoices.record import Invoice, Place, Reading, Remark
from tests.unit.invoices.pairs import (
    ALLOWANCE,
    CHARGE,
    CN_FIELDS,
    EN_FIELDS,
    EN_POLICY,
    POLICY,
    air,
    cn,
    context,
    en,
    old,
    past,
    red,
)

MORE = ("capital_total", "remark", "code", "check_code", "qr_text", "blue_flag", "original_number", "vat_kind", "fare")
NAMES = sorted({*CN_FIELDS, *EN_FIELDS, *MORE, "kind", "air_fund", "prepaid", "rounding", "period_start", "period_end"})
ODD = ["", "²", "٣", "1e9", "9" * 16, "-0", ".5", "0.000000000001", "NaN", "***", "免税", "{0}", "%s", "2026-02-30"]
ODD += ["差额征税：1", "（负数）", "0" * 20, "²" * 20, "²" * 12, "99999999", "381", "rail", "EUR", "JPY", "XI", "GB1"]
ODD += ["0001-01-01", "9999-12-31", "9" * 5000, "9" * 16 + "." + "9" * 12]
ODD += ["01,10,a,b,c,d,e,f", "2026-05-06", "26991000000000000123", "A" * 400, "\ud7ff"]
texts = st.one_of(st.sampled_from(ODD), st.text(max_size=24), st.decimals(allow_nan=False, places=2).map(str))
maybe = st.none() | texts
SOUND = (cn(), old(), red(), air(), en(), en(line={"adjustments": (ALLOWANCE, CHARGE)}))
_FORMS = st.sampled_from(["cn_einvoice", "pdf", "csv", "ubl", "cii", "fatturapa", ""])


def _changed(draw: st.DrawFn, part: Any, *names: str) -> Any:
    values = draw(st.dictionaries(st.sampled_from(names), maybe, max_size=3))
    return replace(part, **values)


@st.composite
def odd_invoices(draw: st.DrawFn) -> Invoice:
    """A sound invoice of any kind, some of whose values are odd."""
    sound = draw(st.sampled_from(SOUND))
    changes = draw(st.dictionaries(st.sampled_from(NAMES), texts, max_size=6))
    fields = {**sound.fields, **{name: Reading(text, text, Place("f"), "t", 0.9) for name, text in changes.items()}}
    return Invoice(
        draw(_FORMS),
        fields,
        tuple(
            _changed(draw, line, "name", "quantity", "unit_price", "net", "rate", "tax", "category")
            for line in sound.lines
        ),
        tuple(_changed(draw, part, "category", "rate", "base", "tax", "reason") for part in sound.taxes),
        (Remark("x", *draw(st.tuples(texts, texts))),),
        tuple(_changed(draw, part, "amount", "base", "category", "rate", "reason_code") for part in sound.adjustments),
    )


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(odd_invoices())
def test_every_rule_answers_whatever_the_values_are(invoice: Invoice) -> None:
    invoice_key(invoice)
    for policy in (POLICY, EN_POLICY):
        seen = past_of(invoice, policy, invoice_id="other")
        for finding in examine(invoice, context(policy, seen, past("p"))).findings:
            assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == finding
    assert Invoice.from_json(json.loads(json.dumps(invoice.to_json()))) == invoice


@pytest.mark.parametrize("sound", SOUND[:-1], ids=["digital", "older", "red", "air", "en16931"])
def test_no_single_odd_value_in_any_field_raises(sound: Invoice) -> None:
    where = context(EN_POLICY if sound.form == "ubl" else POLICY, past("p"))
    for name in {*sound.fields, *MORE}:
        for odd in ODD:
            invoice = replace(sound, fields={**sound.fields, name: Reading(odd, odd, Place("f"), "t")})
            invoice_key(invoice)
            examine(invoice, where)
            past_of(invoice, where.policy, invoice_id="x")


@pytest.mark.parametrize("sound", [cn(), red(), en()], ids=["digital", "red", "en16931"])
def test_no_odd_amounts_together_raise(sound: Invoice) -> None:
    huge = "9" * 16 + "." + "9" * 12
    amounts = {name: Reading(huge, huge, Place("f"), "t") for name in ("net", "tax", "total", "payable", "prepaid")}
    words = Reading("壹圆整", "", Place("f"), "t")
    lines = tuple(replace(line, quantity=huge, unit_price=huge, net=huge, rate=huge, tax=huge) for line in sound.lines)
    taxes = tuple(replace(part, base=huge, rate=huge, tax="-1") for part in sound.taxes)
    invoice = replace(sound, fields={**sound.fields, **amounts, "capital_total": words}, lines=lines, taxes=taxes)
    assert examine(invoice, context(EN_POLICY if sound.form == "ubl" else POLICY)).findings
