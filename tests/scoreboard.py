"""A pytest plugin that runs the cases from the field alone and prints each with pass or fail: `-p tests.scoreboard`.

A test belongs to the cases that its name carries (`test_case_07_...`, `..._q15_...`, `test_seed_11_and_case_16_...`).
A case is of the section that its file is named for (`test_asking_cases.py`: asking), a seed of the section of seeds; a
case that a seed shows as well is one of memory. It passes when all its tests do; what is missing is listed, too.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

_NAMED = re.compile(r"test_(?:case|seed)s?_[a-z]?\d+(?:_and_(?:(?:case|seed)s?_)?[a-z]?\d+)*(?=_)")
_ONE = re.compile(r"(?P<kind>case|seed)?s?_(?P<letter>[a-z]?)(?P<number>\d+)")
_SECTION = re.compile(r"test_(?P<section>[a-z]+)")
_PARTS = dict.fromkeys(("assistant", "base", "extraction", "model", "short", "vector"), "memory")
"""Files that are named for a part of their section."""
_MEMORY = (
    (1, 2), (4, 7), (9, 11), (13, 17), (19, 20), (22, 26), (28, 33), (35, 37), (41, 44), (46, 50), (52, 55), (57, 58),
    (60, 62),
)  # fmt: skip
_MUST = {
    "memory": {number for first, last in _MEMORY for number in range(first, last + 1)},
    "seeds": {*range(1, 27)},
    "asking": {1, 2, 3, 4, 7, 8, *range(10, 15), *range(17, 26), *range(27, 32), 33, 35, 37, 38, 40, 41, 43},
}
"""The plain numbers that must be shown, by section."""
_results = pytest.StashKey[dict[tuple[str, str, int], list[str]]]()

CaseId = tuple[str, str, int]


def cases_of(nodeid: str) -> list[CaseId]:
    """Section, letter and number of each case that a test shows; empty for a test that is about no case."""
    file, _, test = nodeid.partition("::")
    named, section = _NAMED.match(test), _SECTION.match(Path(file).name)
    if not named or not section:
        return []
    own = _PARTS.get(section["section"], section["section"])
    found: list[CaseId] = []
    kind = "case"
    for one in _ONE.finditer(named.group()):
        kind = one["kind"] or kind
        seed = kind == "seed" or (own == "seeds" and not found)
        home = "memory" if own == "seeds" else own
        found.append(("seeds" if seed else home, one["letter"].upper(), int(one["number"])))
    return found


def missing(section: str, shown: set[CaseId]) -> list[int]:
    """The numbers that a section must show and that no test carries."""
    return sorted(_MUST.get(section, set()) - {number for of, letter, number in shown if of == section and not letter})


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_results] = defaultdict(list)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if not cases_of(item.nodeid)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if cases_of(item.nodeid)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):  # type: ignore[no-untyped-def]
    report = yield
    if report.when == "call" or not report.passed:
        for case in cases_of(item.nodeid):
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
        for number in missing(section, set(own)):
            terminalreporter.write_line(f"{number:<5} MISSING")
        terminalreporter.write_line(f"{passed} of {len(own) + len(missing(section, set(own)))} cases pass")
    if verdicts:
        passed = sum(word == "pass" for word in verdicts.values())
        terminalreporter.section("cases: total")
        terminalreporter.write_line(f"{passed} of {len(verdicts)} cases pass")
