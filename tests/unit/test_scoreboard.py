"""Which cases a test shows, by its name and its file."""

import pytest

from tests.scoreboard import CaseId, cases_of, missing


@pytest.mark.parametrize(
    ("nodeid", "cases"),
    [
        ("tests/behaviour/test_asking_cases.py::test_case_07_who_decides[x]", [("asking", "", 7)]),
        ("tests/behaviour/test_asking_desk.py::test_case_q15_a_queue", [("asking", "Q", 15)]),
        ("tests/behaviour/test_extraction_cases.py::test_case_9_a_pronoun", [("memory", "", 9)]),
        ("tests/behaviour/test_memory_x.py::test_cases_29_and_30_a_denial", [("memory", "", 29), ("memory", "", 30)]),
        (
            "tests/behaviour/test_seeds_memory.py::test_seed_11_and_case_16_all_goes",
            [("seeds", "", 11), ("memory", "", 16)],
        ),
        ("tests/behaviour/test_seeds_asking.py::test_case_24_confidence", [("seeds", "", 24)]),
        ("tests/behaviour/test_memory_x.py::test_case_33_and_5_people_move", [("memory", "", 33), ("memory", "", 5)]),
        ("tests/behaviour/test_memory_x.py::test_twenty_and_3_writers", []),
    ],
)
def test_a_test_shows_the_cases_that_its_name_carries(nodeid: str, cases: list[CaseId]) -> None:
    assert cases_of(nodeid) == cases


def test_a_case_that_no_test_carries_is_missing() -> None:
    shown: set[CaseId] = {("seeds", "", number) for number in range(1, 26)}
    assert missing("seeds", shown) == [26]
    assert missing("terminal", set()) == []
