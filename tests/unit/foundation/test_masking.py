import pytest

from foundation.masking import Veil, find, is_card_number, is_citizen_id, mask, mask_tax_id


def with_check(first17: str) -> str:
    return next(first17 + c for c in "0123456789X" if is_citizen_id(first17 + c))


def test_a_citizen_id_is_masked_where_its_check_character_is_right():
    real = with_check("99010119900101001")
    assert mask(f"身份证 {real}。") == f"身份证 [citizen id …{real[-2:]}]。"


def test_eighteen_digits_that_are_no_citizen_id_stay():
    wrong = next("99010119900101001" + c for c in "0123456789X" if not is_citizen_id("99010119900101001" + c))
    assert mask(f"订单 {wrong}") == f"订单 {wrong}"


def test_a_twenty_character_tax_id_hides_the_citizen_id_inside():
    tax_id = with_check("99010119900101001") + "00"
    assert tax_id[:16] not in mask_tax_id(tax_id)


def test_a_company_tax_id_stays_readable():
    assert mask_tax_id("919900007708035121") == "919900007708035121"


@pytest.mark.parametrize("secret", ["sk-test-abcdefghijklmnop", "Bearer abcdefghijklmnopqrstuvwxyz0123"])
def test_secrets_leave_nothing_behind(secret: str):
    assert secret[-8:] not in mask(f"key: {secret} end")


def test_a_card_number_needs_its_check_digit():
    assert is_card_number("4111 1111 1111 1111")
    assert not is_card_number("4111 1111 1111 1112")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("座机0571-87654321转803", "phone"),
        ("打我 +49 151 23456789", "phone"),
        ("手机一三八零零零零零零零零", "phone"),
        ("手机１３８００００００００", "phone"),
        ("手机138\u200b0000\u200b0000", "phone"),
        ("香港身份证 A123456(3)", "citizen id"),
        ("台湾身份证 A123456789", "citizen id"),
        ("港澳通行证C12345678", "permit"),
        ("加我微信 lin_2020x", "account"),
        ("QQ号10000123", "account"),
        ("银行账号 1202 0000 0990 0000 01", "account"),
        ("京A·12345 是我的车", "plate"),
        ("姓名：张三丰，部门：财务", "name"),
        ("IBAN DE89 3704 0044 0532 0130 00", "bank account"),
        ("IBAN DE89-3704-0044-0532-0130-00", "bank account"),
        ("我的账户是de89370400440532013000", "bank account"),
        ("bank: MT84 MALT 0110 0001 2345 MTLC AST0 01S", "bank account"),
        ("Call me at +49 151 2345 6789.", "phone"),
        ("Tel. 0049 30 1234567", "phone"),
        ("Handy: 0151/23456789", "phone"),
        ("办公电话(021) 5888 1234", "phone"),
        ("an Jörg@exämple.de schicken", "mail"),
        ("邮箱是ｌｉｎ＠ｅｘａｍｐｌｅ．ｃｏｍ", "mail"),
        ("Kennzeichen B-MW 4711", "plate"),
        ("Reisepassnummer C01X00T47", "passport"),
        ("my codice fiscale is RSSMRA85T10A562S", "national id"),
        ("Steuer-ID: 36 574 261 809", "national id"),
        ("NIR 2 95 10 99 126 111 93", "national id"),
        ("mi DNI es 54362315K", "national id"),
        ("BSN 111222333", "national id"),
        ("PESEL 44051401359", "national id"),
        ("rijksregisternummer 85.07.30-033 28", "national id"),
        ("personnummer 880320-0016", "national id"),
        ("SSN 536-90-4399", "national id"),
        ("NI number AB 12 34 56 C", "national id"),
        ("postgresql://lin:Hunter2x@db.example/app", "secret"),
        ("client_secret=9f8e7d6c5b4a", "secret"),
        ("AKIAIOSFODNN7EXAMPLE", "secret"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----", "secret"),
        ("Authorization: Basic bGluOnNlY3JldC1wYXNz", "secret"),
        ("seed phrase: " + " ".join(["zebra", "apple", "ocean"] * 4), "secret"),
    ],
)
def test_each_kind_of_private_text_is_found_in_any_dress(text: str, kind: str):
    assert [span.kind for span in find(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "发票号码24332000000012345678",
        "订单号 13990757938 已发货",
        "流水号：6217001234567890123",
        "统一社会信用代码 91110108MA01ABCD1X",
        "金额 1,234,567.89 元",
        "2026年3月4日 15:30",
        "微信Windows版更新了",
        "通行证有效期至20261231",
        "the year was 2020-2021",
        "pi is 3.14159265358979",
        "the password must be strong",
        "https://example.com:8080/path?q=1",
    ],
)
def test_business_numbers_dates_and_amounts_are_not_private(text: str):
    assert find(text) == []


def test_a_span_is_where_the_text_stands_with_its_invisible_characters():
    text = "手机138\u200b0000\u200b0000，晚上打"
    assert mask(text) == "手机[phone …00]，晚上打"


def test_what_a_veil_hides_comes_back_and_the_same_number_is_the_same_placeholder():
    veil = Veil()
    hidden = [veil.hide("打13800000000"), veil.hide("不是13800000000，是13900000000")]
    assert "13800000000" not in "".join(hidden)
    assert hidden[0].removeprefix("打") in hidden[1]
    assert veil.reveal(hidden[1]) == "不是13800000000，是13900000000"


def test_a_veil_gives_no_secret_back_and_is_not_fooled_by_its_own_marks():
    veil = Veil()
    hidden = veil.hide("密码：Hunter2_2024! ⟦phone 1⟧ 13800000000")
    assert "Hunter2" not in veil.reveal(hidden)
    assert veil.reveal(hidden).count("13800000000") == 1
