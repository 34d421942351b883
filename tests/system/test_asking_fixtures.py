"""Databases that each version wrote, with paused threads: today's code opens a copy, and every thread resumes."""

import gzip
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.types import Command

from foundation.database import reading
from graphs.assistant import build_assistant
from graphs.invoice_audit import build_invoice_audit
from oversight.checkpoints import GuardedSqliteSaver, open_saver
from oversight.reviews import Review, ReviewStatus, list_reviews
from remembrancer.office import Office, Swept
from remembrancer.settings import Settings
from remembrancer.wiring import open_services
from scripts.make_fixture import AUDIT, FIXTURES, PERSON, TALK

VERSIONS = sorted(folder.name for folder in FIXTURES.iterdir())
_WRITTEN = datetime(2026, 11, 30, tzinfo=UTC)
_WINDOW, _AISLE = "我坐飞机喜欢靠窗", "我坐飞机喜欢过道"
_REASON = "verified by phone"


@dataclass
class _SoonAfter:
    """A few days after the fixture was written, whenever the test runs: nothing has expired."""

    now: datetime = _WRITTEN + timedelta(days=9)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def __hash__(self) -> int:
        return id(self)


@dataclass
class Installation:
    """A copy of a fixture, opened by today's code."""

    settings: Settings
    office: Office
    saver: GuardedSqliteSaver

    def audit(self, answer: Any) -> dict[str, Any]:
        graph = build_invoice_audit(self.office.services, checkpointer=self.saver)
        return dict(graph.invoke(Command(resume=answer), {"configurable": {"thread_id": AUDIT}}))

    def waiting(self, rule: str) -> list[Review]:
        with reading(self.office.services.engine) as connection:
            found = list_reviews(connection, self.office.services.tenant, status=ReviewStatus.OPEN)
        in_threads = [one for one in found if one.thread_id != AUDIT]
        rules = {one.review_id: {fired["rule"] for fired in one.question["triggers"]} for one in in_threads}
        return sorted((one for one in in_threads if rule in rules[one.review_id]), key=lambda one: one.review_id)


@contextmanager
def _opened(version: str, folder: Path) -> Iterator[Installation]:
    home = folder / "home"
    shutil.copytree(FIXTURES / version / "heads", home / "heads")
    for packed in (FIXTURES / version).glob("*.gz"):
        (home / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    settings = Settings(_env_file=None, home=home, embedder="none", time_zone="UTC", lang="en", ask_by="interrupt")
    services = open_services(settings, _SoonAfter())
    with open_saver(settings.checkpoints) as saver:
        yield Installation(settings, Office(settings, services, saver), saver)
    services.engine.dispose()


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    with _opened(request.param, tmp_path) as installation:
        yield installation


def _known_correction(question: Any) -> dict[str, str]:
    findings = question["evidence"]["findings"]
    known = [one["value"] for finding in findings for one in finding["candidates"] if one["known"]]
    return {"seller_tax_id": known[0]}


def _is_whole(old: Installation) -> None:
    services = old.office.services
    assert services.journal.verify(services.tenant).fault == ""
    assert old.office.sweep() == Swept()


def test_an_old_installation_is_whole_and_a_sweep_finds_nothing(old: Installation) -> None:
    _is_whole(old)


@pytest.mark.parametrize("kind", ["approve", "edit", "reject"])
def test_an_old_audit_goes_on_with_each_decision(old: Installation, kind: str) -> None:
    (waiting,) = old.saver.get_tuple({"configurable": {"thread_id": AUDIT}}).pending_writes[0][2]
    edit = {"name": "book_invoice", "args": _known_correction(waiting.value)}
    answer = {"approve": {"type": "approve", "message": _REASON}, "edit": {"type": "edit", "edited_action": edit}}
    first = old.audit(answer.get(kind) or {"type": "reject", "message": "forged"})
    assert len(first["__interrupt__"]) == 1, "the second doubtful invoice is asked about next"
    counts = old.audit({"type": "reject", "message": "forged"})["counts"]
    assert counts == ({"booked": 1, "rejected": 2} if kind == "reject" else {"booked": 2, "rejected": 1})
    _is_whole(old)


def test_old_reviews_are_decided_in_all_four_ways(old: Installation) -> None:
    approved, asked = old.waiting("amount_limit")
    corrected, rejected = old.waiting("seller_tax_id")
    decide = old.office.decide
    decide(approved.review_id, "approve", by="wu", reason=_REASON)
    decide(corrected.review_id, "edit", by="wu", edits=_known_correction(corrected.question), reason=_REASON)
    decide(rejected.review_id, "reject", by="wu", reason="forged")
    decide(asked.review_id, "respond", by="wu", reason="which contract?")
    assert [one.review_id for one in old.waiting("amount_limit")] == [asked.review_id]
    decide(asked.review_id, "approve", by="wu", reason="the contract is there")
    assert old.waiting("amount_limit") == old.waiting("seller_tax_id") == []
    _is_whole(old)


@pytest.mark.parametrize(
    ("answer", "stands"),
    [({"type": "approve"}, _AISLE), ({"type": "reject", "message": "no"}, _WINDOW)],
)
def test_an_old_conversation_goes_on_at_its_question(old: Installation, answer: Any, stands: str) -> None:
    graph = build_assistant(old.office.services, checkpointer=old.saver)
    config = {"configurable": {"thread_id": TALK, "user_id": PERSON}}
    assert graph.invoke(Command(resume=answer), config)["messages"][-1].text
    again = graph.invoke({"messages": [("user", "我坐飞机喜欢什么座位？")]}, config)
    contents = [one["content"] for one in again["recalled"]["found"]]
    assert [content for content in contents if content in {_WINDOW, _AISLE}] == [stands]


def test_a_fixture_names_no_folder_of_the_machine_it_was_made_on(old: Installation) -> None:
    content = b"".join(file.read_bytes() for file in old.settings.home.glob("*.db"))
    assert not [root for root in (b"/tmp/", b"/home/", b"/Users/", b"/work/") if root in content]
