"""Bugs that others reported in public, as cases for the checks: the number is that of the list of cases."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from invoices.capitals import parse_capitals
from invoices.checks import examine
from invoices.checks.duplicates import invoice_key
from invoices.checks.en_totals import category_tax
from invoices.document import Document
from invoices.findings import Context, Earlier, Finding
from invoices.identity import is_uscc
from invoices.money import cents, parse_money
from invoices.readers import read
from invoices.record import Invoice, Line, Remark, TaxPart
from invoices.verification import State, Verification
from tests.unit.invoices.pairs import (
    COMPANY,
    EN_POLICY,
    SELLER,
    STRANGER,
    air,
    cn,
    context,
    en,
    old,
    past,
    reading,
    red,
)


def rules(invoice: Invoice, where: Context | None = None) -> set[str]:
    return {finding.rule for finding in asking(invoice, where)}


def asking(invoice: Invoice, where: Context | None = None) -> list[Finding]:
    is_en = invoice.form in {"ubl", "cii"}
    chosen = where or context(EN_POLICY if is_en else context().policy)
    return [finding for finding in examine(invoice, chosen).findings if finding.asks]


def test_case_01_an_id_of_17_characters_is_reviewed_however_sure_the_reader_was() -> None:
    wrong = cn(buyer="丙方有限公司", buyer_tax_id=COMPANY[:-1])
    sure = replace(wrong, fields={**wrong.fields, "buyer_tax_id": reading(COMPANY[:-1], 0.95)})
    assert {"buyer_tax_id", "buyer_name"} <= rules(sure)
    seller = cn(seller_tax_id=SELLER[:9] + SELLER[10:])
    finding = next(one for one in asking(seller) if one.rule == "seller_tax_id")
    assert finding.severity == "hard"
    assert finding.candidates[0].value == SELLER
    assert finding.candidates[0].known
    assert seller.text("seller_tax_id") == SELLER[:9] + SELLER[10:]


def test_case_02_a_numbers_tail_in_the_code_is_noticed_and_no_key() -> None:
    swapped = cn(code="071738888", number=None)
    assert invoice_key(swapped) is None
    assert {"code_shape", "needed_field", "duplicate"} <= rules(swapped)


def test_case_07_an_invoice_saved_again_under_another_name_is_the_same_one() -> None:
    again = replace(
        cn(),
        fields={name: replace(one, where=replace(one.where, file="copy (1).xml")) for name, one in cn().fields.items()},
    )
    assert invoice_key(again) == invoice_key(cn())
    earlier = Earlier("i1", "b1", "first.xml", "booked")
    finding = next(one for one in asking(again, context(earlier=earlier)) if one.rule == "duplicate")
    assert finding.severity == "hard"
    assert "first.xml" in finding.message["en"]
    assert "i1" in finding.message["en"]


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("玖仟陆佰陆拾伍圆壹角捌分", "9665.18"),
        ("壹拾万零叁仟肆佰伍拾叁圆整", "103453"),
        ("壹佰玖拾元零壹角玖分", "190.19"),
    ],
)
def test_case_11_capital_amounts_with_jiao_fen_and_gaps_are_read(words: str, amount: str) -> None:
    assert parse_capitals(words) == Decimal(amount)


@pytest.mark.parametrize("text", ["362322198709086409", "111111111111111111"])
def test_case_13_a_citizens_id_or_a_row_of_ones_is_no_company(text: str) -> None:
    assert not is_uscc(text)
    assert "seller_tax_id" in rules(cn(seller_tax_id=text))


def test_case_13_a_citizens_id_is_not_shown_in_full() -> None:
    finding = next(one for one in asking(cn(seller_tax_id="362322198709086409")) if one.rule == "seller_tax_id")
    assert "198709086" not in str(finding.to_json())


def test_case_14_quantity_and_price_glued_together_are_caught_by_the_line() -> None:
    assert "line_price" in rules(cn({"quantity": "3", "unit_price": "100", "net": "200.00"}))
    assert "line_price" not in rules(cn({"quantity": None, "unit_price": "3003.x", "net": "200.00"}))


def test_case_15_a_value_shifted_to_the_next_row_is_caught_by_the_head() -> None:
    first, second = replace(cn().lines[0], net="150.00", tax="9.00"), replace(cn().lines[0], net="50.00", tax="3.00")
    assert "lines_sum" not in rules(cn(lines=(first, second)))
    assert "lines_sum" in rules(cn(lines=(first, replace(second, net="150.00"))))


def test_case_15_a_discount_line_is_ordinary() -> None:
    item = Line(name="*软件*许可", category="软件", net="220.00", rate="6", tax="13.20")
    discount = Line(name="*软件*许可", category="软件", net="-20.00", rate="6", tax="-1.20")
    assert rules(cn(lines=(item, discount))) == set()


def test_case_17_a_national_suffix_of_the_profile_is_accepted() -> None:
    profile = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
    assert rules(en(profile=profile)) == set()


def test_case_21_half_a_cent_is_rounded_up_not_to_even() -> None:
    assert cents(Decimal("34700.045")) == Decimal("34700.05")
    assert category_tax(Decimal("694000.90"), Decimal(5)) == Decimal("34700.05")
    assert category_tax(Decimal("-72.50"), Decimal(19)) == Decimal("-13.78")


def test_case_22_one_cent_of_rounding_is_no_rejection() -> None:
    part = TaxPart("S", "15", "19935.66", "2990.34")
    amounts = {
        "line_total": "19935.66",
        "net": "19935.66",
        "tax": "2990.34",
        "total": "22926.00",
        "payable": "22926.00",
    }
    line = {"net": "19935.66", "rate": "15", "quantity": "1", "unit_price": "19935.66"}
    invoice = replace(en(line=line, taxes=(part,), allowance_total=None, charge_total=None, **amounts), adjustments=())
    assert rules(invoice) == set()


def test_case_22_a_hundred_lines_rounded_one_by_one_are_correct() -> None:
    lines = tuple(Line(name="*物流*件", category="物流", net="97.09", rate="3", tax="2.91") for _ in range(100))
    assert rules(cn(lines=lines, net="9709.00", tax="291.00", total="10000.00")) <= {"category_claimed"}


def test_case_24_a_negative_net_with_a_positive_total_is_an_invoice() -> None:
    part = TaxPart("S", "19", "-100.00", "300.00")
    invoice = en(net="-100", tax="300", total="200", taxes=(part,))
    assert invoice.signed_total == 200
    assert "net_tax_total" not in rules(invoice)
    assert "net_tax_total" in rules(en(net="-100", tax="300", total="400", taxes=(part,)))


@pytest.mark.parametrize(
    ("kind", "printed", "signed"),
    [
        ("381", "113.05", "-113.05"),
        ("CreditNote", "113.05", "-113.05"),
        ("384", "-113.05", "-113.05"),
        ("380", "-113.05", "-113.05"),
        ("380", "113.05", "113.05"),
        ("389", "113.05", "113.05"),
    ],
)
def test_case_26_every_kind_of_document_has_one_signed_value(kind: str, printed: str, signed: str) -> None:
    assert en(kind=kind, total=printed).signed_total == Decimal(signed)


def test_case_26_a_minus_on_a_credit_note_is_asked_about() -> None:
    assert "credit_sign" in rules(en(kind="381", total="-113.05"))
    assert "credit_sign" not in rules(en(kind="384", total="-113.05"))


@pytest.mark.parametrize("text", ["8-9-2022", "80101911/26.06.2025", "2023-13-06"])
def test_case_28_a_date_that_is_none_is_refused_not_guessed(text: str) -> None:
    assert cn(date=text).day() is None
    assert "date_real" in rules(cn(date=text))


def test_case_28_an_ambiguous_date_is_asked_about() -> None:
    assert cn(date="2023-06-12").day() == date(2023, 6, 12)
    remark = Remark("ambiguous_date", "日月次序不明", "day and month can't be told apart")
    assert "sources_differ" in rules(replace(cn(), remarks=(remark,)))


def test_case_29_sellers_begin_their_numbers_again_each_year() -> None:
    keys = {invoice_key(en(number="1", date=day)) for day in ("2019-03-01", "2020-03-01")}
    assert len(keys) == 2
    assert invoice_key(en(number="1")) != invoice_key(en(number="1", seller_tax_id="XI110305878"))


def test_case_29_a_seller_changed_later_gives_another_key_to_look_up() -> None:
    edited = en().with_values({"seller_tax_id": "XI110305878"}, person="lin")
    assert invoice_key(edited) != invoice_key(en())


@pytest.mark.parametrize("status", ["booked", "waiting", "rejected"])
def test_case_30_a_duplicate_names_the_first_and_what_became_of_it(status: str) -> None:
    earlier = Earlier("i9", "may", "taxi.pdf", status)
    finding = next(one for one in asking(cn(), context(earlier=earlier)) if one.rule == "duplicate")
    for language in ("zh", "en"):
        assert all(word in finding.message[language] for word in ("i9", "may", "taxi.pdf", status))  # type: ignore[index]


def test_case_33_northern_ireland_is_in_the_eu_scheme_and_gb_is_not() -> None:
    assert rules(en(seller_vat_id="XI980780684", seller_tax_id="XI980780684")) == set()
    assert "vat_id" not in rules(en(seller_vat_id="GB980780684"))
    assert "vat_id" in rules(en(seller_vat_id="XI980780685"))


def test_case_33_blanks_and_dots_in_a_vat_id_do_not_matter() -> None:
    assert "vat_id" not in rules(en(seller_vat_id="DE 136 695 976"))


def test_case_34_a_missing_date_is_reviewed_and_never_today() -> None:
    undated = cn(date=None)
    finding = next(one for one in asking(undated) if one.rule == "needed_field")
    assert finding.field == "date"
    assert finding.trigger == "low_confidence"
    assert undated.day() is None


def test_case_38_not_verifiable_is_another_thing_than_failed() -> None:
    taxi = context(verification=Verification(State.NOT_VERIFIABLE))
    examined = examine(cn(), taxi)
    assert examined.findings == ()
    assert examined.not_executed["tax_office"].en == "this kind of ticket can't be looked up"
    failed = examine(cn(), context(verification=Verification(State.DIFFERS)))
    assert [finding.rule for finding in failed.findings] == ["tax_office"]


def test_the_aviation_fund_bears_no_tax_and_a_cent_of_rounding_is_ordinary() -> None:
    assert rules(air()) == set()


def test_tax_free_stars_are_zero_and_not_missing() -> None:
    assert parse_money("***") == 0
    free = cn({"rate": "免税", "tax": "***"}, tax="***", total="200.00")
    assert rules(free) == set()


def test_differential_taxation_is_judged_on_what_is_left() -> None:
    line = {"rate": "***", "net": "198.04", "tax": "1.96", "quantity": None, "unit_price": None}
    invoice = cn(line, remark="差额征税：2.00。", net="198.04", tax="1.96", total="200.00")
    assert rules(invoice) == set()


def test_an_old_rate_shortly_after_a_change_is_ordinary_and_later_reviewed() -> None:
    line = {"rate": "16", "tax": "32.00"}
    values = {"tax": "32.00", "total": "232.00", "number": "19991000000000000123"}
    where = replace(context(), today=date(2019, 12, 31))
    assert "rate_allowed" not in rules(cn(line, date="2019-06-01", **values), where)
    assert "rate_allowed" in rules(cn(line, date="2019-09-01", **values), where)


def test_an_invoice_split_under_the_limit_is_found_across_batches() -> None:
    values = {"net": "56603.77", "tax": "3396.23", "total": "60000.00"}
    line = {"quantity": "1", "unit_price": "56603.77", "net": "56603.77", "tax": "3396.23"}
    first = past("p", total=Decimal("60000.00"), batch="last month")
    assert "split" in rules(cn(line, **values), context(context().policy, first))
    assert "split" not in rules(cn(line, **values), context(context().policy, replace(first, day=date(2026, 4, 1))))


def test_a_red_letter_and_its_invoice_net_to_zero() -> None:
    blue = past("blue", number="26991000000000000123")
    assert rules(red(), context(context().policy, blue)) == {"red_letter"}
    twice = past("red1", number="26991000000000000998", original_number="26991000000000000123", total=Decimal(-212))
    assert "red_pair" in rules(red(), context(context().policy, blue, twice))


def test_an_account_that_changes_is_a_question_of_money() -> None:
    known = past("p", seller_key="XI980780684", account="GB82WEST12345698765432")
    finding = next(one for one in asking(en(), context(EN_POLICY, known)) if one.rule == "account_changed")
    assert finding.trigger == "high_stakes"


def test_older_invoices_qr_code_exposes_a_changed_amount() -> None:
    qr = "01,10,099022600211,04875996,200.00,20260506,12345678901234567890,A1B2"
    forged = old(qr_text=qr, net="900.00", tax="54.00", total="954.00")
    assert "qr_text" in rules(forged)


def test_a_stranger_on_a_list_is_stopped_with_the_lists_day_and_source() -> None:
    finding = next(one for one in asking(cn(seller_tax_id=STRANGER, seller="某公司")) if one.rule == "blacklist")
    assert finding.severity == "hard"
    assert "tax bureau list 3" in finding.message["en"]
    assert "2026-01-01" in finding.message["en"]


def test_rules_of_the_standard_read_what_the_readers_hand_on() -> None:
    text = (
        '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"'
        ' xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
        ' xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">'
        "<cbc:ID>1</cbc:ID><cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator>"
        '<cbc:Amount currencyID="EUR">5</cbc:Amount></cac:AllowanceCharge>'
        '<cac:LegalMonetaryTotal><cbc:ChargeTotalAmount currencyID="EUR">6</cbc:ChargeTotalAmount>'
        "</cac:LegalMonetaryTotal></Invoice>"
    )
    invoice = next(read(Document("a.xml", text.encode())))
    found = {finding.rule for finding in examine(invoice, context(EN_POLICY)).findings}
    assert {"BR-CO-12", "BR-37", "BR-38", "BR-16"} <= found


def test_a_file_that_does_not_claim_the_standard_owes_it_no_formalities() -> None:
    plain = en(profile=None, buyer_country=None)
    found = {finding.rule: finding.severity for finding in examine(plain, context(EN_POLICY)).findings}
    assert found == {"BR-01": "hint", "BR-11": "hint"}
    assert "BR-11" in rules(en(buyer_country=None))


def test_a_rail_ticket_without_a_seller_is_ordinary_and_a_taxi_code_begins_with_one() -> None:
    rail = cn(lines=(), kind="rail", seller=None, seller_tax_id=None, traveller="某甲", net=None, tax=None)
    assert rules(rail) == set()
    taxi = cn(lines=(), kind="taxi", code="199002600001", number="04875996", seller=None, seller_tax_id=None)
    assert "code_shape" not in rules(taxi)
    assert "code_shape" in rules(cn(code="199002600001", number="04875996"))


def test_a_red_letter_read_off_a_page_without_its_original_is_a_question_not_a_verdict() -> None:
    read_off = red(original_number=None)
    unsure = replace(read_off, fields={**read_off.fields, "total": reading("-212.00", 0.9)})
    severities = {one.severity for one in asking(unsure) if one.rule == "red_letter"}
    assert severities == {"review"}
    assert "hard" in {one.severity for one in asking(read_off) if one.rule == "red_letter"}
