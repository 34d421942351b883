"""Who hands in what, and what earlier invoices say: through the audit, on real files."""

import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from examples import make_fifty
from examples.forms import cn_xml
from examples.forms import sample as forms
from foundation.database import reading
from foundation.errors import NotAllowedError, UsageError
from invoices.ledger import first_by_hash, first_by_key
from tests.support.house import House
from tests.support.papers import make_sample
from tests.support.plans import plans_of

MakeHouse = Callable[..., House]


def sample(house: House, number: int = 500, **changes: object):
    return replace(make_sample(house.papers, random.Random(number), number), **changes)


def rules(house: House, file: str) -> set[str]:
    """The rules that found something on this file's invoice."""
    ((findings,),) = house.ask("SELECT findings FROM invoices WHERE file = ?", file)
    return {finding["rule"] for finding in json.loads(findings)}


def audit(house: House, name: str, **more: object) -> None:
    with house.office() as office:
        office.audit(house.start(**more), name=name)


def test_a_zip_folder_is_audited_invoice_by_invoice(make_house: MakeHouse):
    house = make_house(clean=3, doubtful=())
    files = sorted(house.papers.folder.iterdir())
    with zipfile.ZipFile(house.papers.folder / "many.zip", "w") as folder:
        for number in range(3):
            path = house.papers.write("inner.xml", sample(house, 700 + number))
            folder.write(path, f"{number}.xml")
            path.unlink()
        folder.writestr("broken.xml", "<EInvoice>")
    for file in files[1:]:
        file.unlink()
    audit(house, "one")
    assert house.statuses() == {"booked": 4, "unreadable": 1}
    names = {name for (name,) in house.ask("SELECT file FROM invoices WHERE status = 'booked'")}
    assert names == {files[0].name, "many.zip/0.xml", "many.zip/1.xml", "many.zip/2.xml"}


def test_an_invoice_in_a_zip_is_the_one_that_came_alone_before(make_house: MakeHouse, tmp_path: Path):
    house = make_house(clean=2, doubtful=())
    audit(house, "one")
    packed = tmp_path / "again.zip"
    with zipfile.ZipFile(packed, "w") as folder:
        for file in sorted(house.papers.folder.iterdir(), reverse=True):
            folder.write(file, file.name)
    with house.office() as office:
        office.audit({"paths": [str(packed)], "policy": str(house.papers.policy)}, name="two")
    assert house.statuses() == {"booked": 2, "already_audited": 2}


def test_the_same_seller_day_and_total_under_another_number_waits(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=())
    first = sample(house)
    house.papers.write("a.xml", first)
    audit(house, "one")
    house.papers.write("b.xml", replace(first, number=first.number[:-4] + "7777"))
    audit(house, "two")
    assert "near_duplicate" in rules(house, "b.xml")
    assert house.statuses() == {"booked": 1, "already_audited": 1, "waiting": 1}


def test_a_rejected_invoice_is_no_longer_held_against_later_ones(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=("over_limit",))
    audit(house, "one")
    with house.office() as office:
        ((review,),) = house.ask("SELECT review_id FROM reviews")
        office.decide(review, "reject", by="manager", reason="forged")
    assert house.ask("SELECT count(*) FROM past_invoices") == [(0,)]
    assert house.ask("SELECT count(*) FROM sellers_seen WHERE times > 0") == [(0,)]


def test_a_corrected_invoice_is_not_held_against_itself(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=("broken_id",))
    audit(house, "one")
    right = house.papers.sellers[900_000 % len(house.papers.sellers)]
    with house.office() as office:
        ((review,),) = house.ask("SELECT review_id FROM reviews")
        settled = office.decide(review, "edit", by="manager", reason="checked", edits={"seller_tax_id": right})
    assert settled.still_open == ""
    assert house.ask("SELECT seller_tax_id FROM past_invoices") == [(right,)]


MANIFEST = "file,submitter,claim,trip,category,people,trip_start,trip_end\n"


def manifest(house: House, text: str) -> str:
    path = house.root / "manifest.csv"
    path.write_text(MANIFEST + text, "utf-8")
    return str(path)


def test_the_manifests_submitter_cannot_decide_his_own_invoice(make_house: MakeHouse):
    house = make_house(clean=1, doubtful=("over_limit",))
    audit(
        house,
        "one",
        manifest=manifest(house, "doubtful-000.xml,lin,C-7,,,lin;wu,2026-09-01,2026-09-03\n"),
        submitter="clerk",
    )
    ((review, invoice),) = house.ask("SELECT review_id, subject FROM reviews")
    with house.office() as office:
        with pytest.raises(NotAllowedError, match="second person"):
            office.decide(review, "approve", by="lin")
        assert office.decide(review, "approve", by="clerk").status == "booked"
        with pytest.raises(NotAllowedError, match="second person"):
            office.reverse(invoice, by="lin", reason="sent back")


def test_a_cap_of_a_person_counts_what_he_claimed_before(make_house: MakeHouse):
    cap = '\n[[caps]]\nper = "day"\namount = "1000.00"\n'
    house = make_house(clean=0, doubtful=(), limits="")
    text = house.papers.policy.read_text("utf-8")
    house.papers.policy.write_text(text + cap, "utf-8")
    first = sample(house, lines=(Decimal("600.00"),))
    house.papers.write("a.xml", first)
    audit(house, "one", submitter="lin")
    other = sample(house, 501, day=first.day, lines=(Decimal("500.00"),))
    house.papers.write("b.xml", other)
    house.papers.write(
        "c.xml", replace(sample(house, 502, lines=(Decimal("500.00"),)), day=first.day + timedelta(days=9))
    )
    audit(house, "two", submitter="lin")
    assert house.statuses() == {"booked": 2, "already_audited": 1, "waiting": 1}
    assert "cap_day" in rules(house, "b.xml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nowhere.xml,lin,,,,,,\n", "which is not among the files"),
        (",lin,,,,,,\n", "manifest.csv:2: a manifest row needs the file's name"),
        ("00000.xml,lin,,,,,3.9.2026,\n", "manifest.csv:2: trip_start"),
    ],
)
def test_a_wrong_manifest_is_refused_with_its_line(make_house: MakeHouse, text: str, says: str):
    house = make_house(clean=1, doubtful=())
    with pytest.raises(UsageError, match=says):
        audit(house, "one", manifest=manifest(house, text))
    assert house.statuses() == {}


def test_a_schematron_that_is_not_there_stops_the_batch(make_house: MakeHouse):
    house = make_house(clean=1, doubtful=())
    with pytest.raises(UsageError, match="no such rule file"):
        audit(house, "one", schematron="nowhere.xsl")
    assert house.statuses() == {}


def test_case_30_a_duplicate_is_a_state_of_its_own_with_a_link_and_in_no_total(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=())
    first = sample(house)
    house.papers.write("a.xml", first)
    house.papers.write("b.xml", replace(first, item="*文具*笔"))
    audit(house, "one")
    ((status, first_id),) = house.ask("SELECT status, first_id FROM invoices WHERE file = 'b.xml'")
    assert (status, house.bookings()) == ("duplicate", 1)
    assert house.ask("SELECT file FROM invoices WHERE invoice_id = ?", first_id) == [("a.xml",)]


def test_case_36_two_reviews_answered_in_reverse_order_each_get_their_own_answer(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=("over_limit", "over_limit"))
    audit(house, "one")
    reviews = [review for (review,) in house.ask("SELECT review_id FROM reviews ORDER BY subject")]
    with house.office() as office:
        assert office.decide(reviews[1], "approve", by="manager").status == "booked"
        assert office.decide(reviews[0], "reject", by="manager", reason="forged").status == "rejected"
    assert house.bookings() == 1


def test_a_red_letter_that_names_its_original_in_the_remark_finds_it_in_the_ledger(make_house: MakeHouse):
    house = make_house(clean=1, doubtful=())
    seller = (make_fifty.SELLERS[0][0], house.papers.sellers[0], make_fifty.COMPANY, house.papers.company_id)
    blue = forms.Sample(
        "26990000000000004711", date(2026, 9, 2), *seller, (forms.Item("*纸制品*纸", Decimal("80.00")),)
    )
    (house.papers.folder / "blue.xml").write_bytes(cn_xml.digital_xml(blue))
    audit(house, "one")
    back = (forms.Item("*纸制品*纸", Decimal("-80.00")),)
    red = replace(blue, number="26990000000000004899", items=back, remark=f"被红冲蓝字数电发票号码：{blue.number}")
    (house.papers.folder / "red.xml").write_bytes(cn_xml.digital_xml(red))
    audit(house, "two")
    assert rules(house, "red.xml") == {"red_letter"}
    again = replace(red, number="26990000000000004999")
    (house.papers.folder / "red-again.xml").write_bytes(cn_xml.digital_xml(again))
    audit(house, "three")
    assert {"red_letter", "red_pair"} <= rules(house, "red-again.xml")


def test_one_odd_invoice_throws_no_doubt_on_a_seller_whom_the_register_knows(make_house: MakeHouse):
    house = make_house(clean=1, doubtful=())
    right = sample(house, 500)
    house.papers.write("odd.xml", replace(sample(house, 508), seller_id=make_fifty.made_up_uscc(random.Random(9))))
    audit(house, "one")
    assert "known_seller" in rules(house, "odd.xml")
    house.papers.write("right.xml", right)
    audit(house, "two")
    assert rules(house, "right.xml") == set()


def test_who_was_first_is_found_by_key_and_not_by_reading_the_ledger(make_house: MakeHouse):
    house = make_house(clean=3, doubtful=())
    audit(house, "one")
    engine = house.services.engine
    with (
        reading(engine) as connection,
        plans_of(engine, lambda asked: "invoices.invoice_key IN" in asked or "invoices.sha256 IN" in asked) as told,
    ):
        first_by_key(connection, "local", ["a", "b"])
        first_by_hash(connection, "local", ["a", "b"])
    ways = [line for line in told if "invoices" in line]
    assert ["ix_invoices_key" in ways[0], "ix_invoices_sha256" in ways[1]] == [True, True]


def test_mark_up_in_a_sellers_name_is_text_in_the_question(make_house: MakeHouse):
    house = make_house(clean=0, doubtful=())
    house.papers.write("a.xml", sample(house, seller="![x](http://evil) **approve**", lines=(Decimal(200_000),)))
    audit(house, "one")
    ((question,),) = house.ask("SELECT question FROM reviews")
    description = json.loads(question)["action_requests"][0]["description"]
    assert "![x](" not in description
    assert "**approve**" not in description
    assert "evil" in description
