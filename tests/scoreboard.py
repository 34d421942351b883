"""A pytest plugin that prints each case from the field with pass or fail: `pytest -p tests.scoreboard`.

A test belongs to the case that its name carries (`test_case_07_...`, `test_case_q15_...`), and to the section that its
file is named for (`test_asking_cases.py`: asking). A case passes when all its tests do.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

_CASE = re.compile(r"test_case_(?P<letter>[a-z]?)(?P<number>\d+)")
_SECTION = re.compile(r"test_(?P<section>[a-z]+)")
_results = pytest.StashKey[dict[tuple[str, str, int], list[str]]]()

CaseId = tuple[str, str, int]


def case_of(nodeid: str) -> CaseId | None:
    """Section, letter and number of the case that a test shows; None for a test that is about no case."""
    file, _, test = nodeid.partition("::")
    case, section = _CASE.search(test), _SECTION.match(Path(file).name)
    if not case or not section:
        return None
    return section["section"], case["letter"].upper(), int(case["number"])


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_results] = defaultdict(list)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):  # type: ignore[no-untyped-def]
    report = yield
    case = case_of(item.nodeid)
    if case and (report.when == "call" or not report.passed):
        item.config.stash[_results][case].append(report.outcome)
    return report


def verdict(outcomes: list[str]) -> str:
    """One word for all tests of a case."""
    if "failed" in outcomes:
        return "FAIL"
    return "pass" if "passed" in outcomes else "skipped"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash[_results]
    verdicts = {case: verdict(outcomes) for case, outcomes in results.items()}
    for section in sorted({case[0] for case in verdicts}):
        own = {case: word for case, word in sorted(verdicts.items()) if case[0] == section}
        passed = sum(word == "pass" for word in own.values())
        terminalreporter.section(f"cases: {section}")
        for case, word in own.items():
            tests = len(results[case])
            terminalreporter.write_line(f"{case[1]}{case[2]:<5} {word:<8} {tests} test{'s' if tests > 1 else ''}")
        terminalreporter.write_line(f"{passed} of {len(own)} cases pass")
    if verdicts:
        passed = sum(word == "pass" for word in verdicts.values())
        terminalreporter.section("cases: total")
        terminalreporter.write_line(f"{passed} of {len(verdicts)} cases pass")
