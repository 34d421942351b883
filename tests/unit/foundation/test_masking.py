import pytest

from foundation.masking import is_card_number, is_citizen_id, mask, mask_tax_id


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
