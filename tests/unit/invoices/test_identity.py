"""Identity numbers: every single error is found, nothing is completed silently, persons' numbers are masked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from invoices.identity import (
    ALPHABET,
    candidates,
    is_citizen_id,
    is_uscc,
    is_usual_kind,
    look_alikes,
    made_up_uscc,
    masked_id,
    normal_id,
    tax_id_kind,
)

codes = st.integers(0, 10**9).map(made_up_uscc)


@given(codes)
def test_a_made_up_code_is_well_formed_and_of_no_real_region(code: str) -> None:
    assert is_uscc(code)
    assert tax_id_kind(code) == "uscc"
    assert is_usual_kind(code)
    assert code[2:4] == "99"


@given(codes, st.integers(0, 17), st.sampled_from(ALPHABET))
def test_every_single_wrong_character_is_found(code: str, place: int, letter: str) -> None:
    wrong = code[:place] + letter + code[place + 1 :]
    assert is_uscc(wrong) == (wrong == code)


@given(codes, st.integers(0, 16))
def test_every_swap_of_neighbours_is_found(code: str, place: int) -> None:
    wrong = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
    assert is_uscc(wrong) == (wrong == code)


@given(codes, st.integers(0, 17))
def test_a_code_one_character_short_is_never_valid_and_the_right_one_is_among_its_candidates(
    code: str, place: int
) -> None:
    short = code[:place] + code[place + 1 :]
    assert not is_uscc(short)
    found = candidates(short, {code})
    assert found[0].value == code
    assert found[0].known
    assert all(is_uscc(candidate.value) for candidate in found)


@given(codes)
def test_width_case_blanks_and_hyphens_do_not_matter(code: str) -> None:
    wide = "".join(chr(ord(character) + 0xFEE0) for character in code)
    assert normal_id(wide) == normal_id(f" {code[:4].lower()}-{code[4:]} ") == code


def test_the_standards_own_worked_example_is_wrong_and_refused() -> None:
    assert not is_uscc("91350100M000100Y4Z")
    assert is_uscc("91350100M000100Y43")


@pytest.mark.parametrize("text", ["362322198709086409", "111111111111111111", "", "91350100M000100Y4", "国" * 18])
def test_what_is_no_company_code_is_refused(text: str) -> None:
    assert not is_uscc(text)
    assert tax_id_kind(text) == "unknown"


def test_older_ids_are_known_by_their_own_checks() -> None:
    assert tax_id_kind("350100M000100Y4") == "old"
    assert tax_id_kind("350100M000100Y5") == "unknown"
    assert tax_id_kind("11010519491231002X01") == "person20"
    assert tax_id_kind("11010549123100201") == "person17"


def test_an_id_that_holds_a_citizens_number_shows_its_ends_only() -> None:
    assert is_citizen_id("11010519491231002X")
    assert masked_id("11010519491231002X01") == "110105************01"
    assert masked_id("11010519491231002X") == "110105**********2X"
    assert masked_id("91350100M000100Y43") == "91350100M000100Y43"


def test_look_alikes_are_only_proposed() -> None:
    code = "91350100M000100Y43"
    misread = code.replace("0", "O")
    assert not is_uscc(misread)
    assert look_alikes(misread) == code
    assert [candidate.value for candidate in candidates(misread)] == [code]
