"""What people do on the page: decide, upload, take reports along, look after what is remembered; and its edges."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from time import monotonic, sleep

import pytest
from fastapi.testclient import TestClient

from oversight.reviews import Review, open_review
from oversight.threads import bind_thread
from remembrancer.cli import main
from remembrancer.inbox.passwords import password_fits
from remembrancer.inbox.tokens import add_token, identify, revoke_token
from remembrancer.inbox.uploads import safe_name
from tests.support.house import House, assert_whole
from tests.support.pages import PASSWORD, another, csrf_of, page, sign_in

GOLDEN = Path(__file__).parents[1] / "data" / "golden"


@pytest.fixture
def house(staffed_house: House, tmp_path: Path) -> Iterator[House]:
    """A copy of the staffed house: one invoice waits."""
    copy = staffed_house.copy(tmp_path / "copy")
    yield copy
    copy.close()


def _review(house: House) -> str:
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    return str(review_id)


def _decide(client: TestClient, csrf: str, review_id: str, kind: str, **more: str) -> int:
    return client.post(f"/reviews/{review_id}/decision", data={"csrf": csrf, "kind": kind, **more}).status_code


def test_a_decision_takes_effect_with_the_signed_in_persons_name(house: House) -> None:
    with page(house) as client:
        csrf = sign_in(client, "chen")
        assert _decide(client, csrf, _review(house), "approve", by="wang", decided_by="wang") == 303
        assert house.ask("SELECT decided_by, via FROM decisions WHERE taken") == [("chen", "inbox")]
    assert_whole(house)


def test_a_rejection_without_a_reason_is_refused_and_changes_nothing(house: House) -> None:
    with page(house) as client:
        csrf = sign_in(client, "chen")
        assert _decide(client, csrf, _review(house), "reject") == 422
        assert house.ask("SELECT count(*) FROM decisions") == [(0,)]


def test_a_decision_that_can_be_called_back_has_no_effect_yet_and_blocks_others(house: House) -> None:
    review_id = _review(house)
    with page(house, inbox_undo_seconds=30.0) as client:
        csrf = sign_in(client, "chen")
        assert _decide(client, csrf, review_id, "approve") == 303
        assert house.bookings() == 3
        wang = another(client)
        assert _decide(wang, sign_in(wang, "wang"), review_id, "reject", **{"reason.reject": "no"}) == 409
        ((scheduled_id,),) = house.ask("SELECT scheduled_id FROM scheduled_decisions")
        token = csrf_of(wang, "/")
        assert wang.post(f"/scheduled/{scheduled_id}/cancel", data={"csrf": token}).status_code == 409
        assert client.post(f"/scheduled/{scheduled_id}/cancel", data={"csrf": csrf}).status_code == 303
        assert house.ask("SELECT status FROM reviews") == [("open",)]
        assert _decide(client, csrf, review_id, "approve") == 303
    assert house.bookings() == 4, "what was decided takes effect at the latest when the page ends"
    assert_whole(house)


def test_what_a_crash_left_scheduled_is_taken_at_the_next_start(house: House) -> None:
    review_id = _review(house)
    said = ("approve", "", "{}", "chen", "inbox", "", "", "2026-01-01 00:00:00.000000", "scheduled", "")
    marks = ", ".join("?" * (len(said) + 3))
    house.change(f"INSERT INTO scheduled_decisions VALUES ({marks})", "sch_1", "default", review_id, *said)
    with page(house):
        assert house.bookings() == 4
    assert house.ask("SELECT status FROM scheduled_decisions") == [("taken",)]


def test_what_an_assistant_wants_to_do_is_shown_with_its_reasons_and_arguments(house: House) -> None:
    question = json.loads((GOLDEN / "tool.json").read_text("utf-8"))
    review = Review(
        review_id="rev_tool", tenant="default", thread_id="talk", action=question["action_requests"][0]["name"],
        subject="act_1", headline="Transfer", amount=Decimal(20000), currency="CNY", submitter="", question=question,
        digest="", opened_at=house.services.clock(),
    )  # fmt: skip
    with house.services.journal.transaction() as transaction:
        bind_thread(transaction.connection, "talk", "default", "assistant", "lin", transaction.at)
        open_review(transaction.connection, review)
    with page(house) as client:
        sign_in(client, "chen")
        shown = client.get("/reviews/rev_tool")
        assert shown.status_code == 200
        assert all(str(value) in shown.text for value in question["action_requests"][0]["args"].values())
        assert "rev_tool" in client.get("/").text


def test_what_changed_since_one_looked_is_not_decided(house: House) -> None:
    with page(house) as client:
        csrf = sign_in(client, "chen")
        assert _decide(client, csrf, _review(house), "approve", seen="the digest of something else") == 409
        assert house.bookings() == 3


def _upload(client: TestClient, csrf: str, files: list[tuple[str, bytes]], **data: str) -> int:
    sent = [("files", (name, content)) for name, content in files]
    return client.post("/batches", data={"csrf": csrf, **data}, files=sent).status_code


def _eventually(house: House, query: str) -> str:
    """The first value that the query finds, once it finds one."""
    end = monotonic() + 60
    while not (found := house.ask(query)):
        assert monotonic() < end, f"nothing came of {query}"
        sleep(0.1)
    return str(found[0][0])


def _finished(house: House, count: int) -> None:
    """Wait until so many batches are finished."""
    _eventually(house, f"SELECT 1 FROM batches WHERE finished_at IS NOT NULL GROUP BY 1 HAVING count(*) = {count}")


def test_uploaded_files_stay_in_their_folder_whatever_their_names_say(house: House) -> None:
    paper = next(house.papers.folder.iterdir()).read_bytes()
    names = ["../../../escape.xml", "..\\..\\windows.xml", "/etc/passwd.xml", "a\x00b.xml", "CON.xml", ".hidden.xml"]
    with page(house) as client:
        csrf = sign_in(client, "chen")
        assert _upload(client, csrf, [(name, paper) for name in names], label="../../up") == 303
        _finished(house, 2)
    uploads = house.settings.home / "uploads"
    (folder,) = uploads.iterdir()
    assert folder.name.startswith("up-")
    assert len(list(folder.iterdir())) == len(names)
    assert not list(house.root.glob("escape.xml")) + list(house.settings.home.glob("*.xml"))


def test_a_zip_that_climbs_out_or_blows_up_does_neither(house: House) -> None:
    paper = next(house.papers.folder.iterdir()).read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("../../../climbed.xml", paper)
        folder.writestr("bomb.xml", b"<a>" + b" " * 30_000_000)
    with page(house) as client:
        csrf = sign_in(client, "chen")
        assert _upload(client, csrf, [("tricks.zip", packed.getvalue())]) == 303
        _finished(house, 2)
    assert not list(house.root.rglob("climbed.xml"))
    assert ("unreadable", "zip_bomb") in house.ask("SELECT status, reason FROM invoices")


def test_an_upload_over_the_limit_is_refused_before_it_is_kept(house: House) -> None:
    with page(house, inbox_upload_mb=1) as client:
        csrf = sign_in(client, "chen")
        assert _upload(client, csrf, [("large.xml", b"x" * 1_500_000)]) == 413
    assert not (house.settings.home / "uploads").exists()


def test_who_uploads_can_not_decide_it_himself(house: House) -> None:
    doubtful = house.papers.folder / "doubtful-000.xml"
    with page(house) as client:
        csrf = sign_in(client, "wang")
        content = doubtful.read_bytes().replace(b"2699", b"2698")
        assert _upload(client, csrf, [("mine.xml", content)]) == 303
        review_id = _eventually(house, "SELECT review_id FROM reviews WHERE submitter = 'wang'")
        assert _decide(client, csrf, review_id, "approve") == 403


def test_a_submitter_sees_his_own_batches_and_nobody_elses(house: House) -> None:
    paper = next(house.papers.folder.iterdir()).read_bytes()
    with page(house) as client:
        csrf = sign_in(client, "lin")
        assert _upload(client, csrf, [("a.xml", paper)], label="mine", submitter="chen") == 303
        _finished(house, 2)
        shown = client.get("/batches").text
        assert "mine-" in shown
        assert "september" not in shown
        ((batch_id,),) = house.ask("SELECT batch_id FROM batches WHERE name = 'september'")
        assert client.get(f"/batches/{batch_id}").status_code == 404
        assert house.ask("SELECT submitter FROM batches WHERE name LIKE 'mine-%'") == [("lin",)]


def test_no_cell_of_an_export_is_a_formula(house: House) -> None:
    seller = "=cmd|' /C calc'!A0"
    house.change("UPDATE invoices SET record = json_set(record, '$.fields.seller.value', ?)", seller)
    ((batch_id,),) = house.ask("SELECT batch_id FROM batches")
    with page(house) as client:
        sign_in(client, "chen")
        for path in (f"/batches/{batch_id}/report.csv", f"/batches/{batch_id}/vouchers.csv"):
            answer = client.get(path)
            assert "attachment" in answer.headers["content-disposition"]
            cells = [cell for row in csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))) for cell in row]
            assert any("cmd|" in cell for cell in cells)
            assert [cell for cell in cells if cell.startswith(("=", "@", "+"))] == []


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("invoice.pdf", "invoice.pdf"),
        ("../../a.xml", "a.xml"),
        ("C:\\temp\\发票.ofd", "发票.ofd"),
        ("...", "file"),
        ("", "file"),
        ("evil\u202efdp.exe", "evil_fdp.exe"),
        ("x" * 300 + ".pdf", "x" * 88 + ".pdf"),
    ],
)
def test_a_sent_name_becomes_a_name_that_leads_nowhere(sent: str, kept: str) -> None:
    assert safe_name(sent) == kept


def test_a_person_corrects_undoes_and_deletes_what_is_remembered_about_him(house: House) -> None:
    from datetime import UTC, datetime

    from memory.model import Message
    from memory.scope import Scope

    with page(house, embedder="none") as client:
        csrf = sign_in(client, "wang")
        frame = client.app.state.frame
        memory, scope = frame.office.services.memory(), Scope.user(frame.tenant, "wang")
        memory.observe(scope, [Message("m1", "talk", "user", "I live in Hangzhou", datetime(2026, 9, 1, tzinfo=UTC))])
        (known,) = memory.current(scope)
        assert known.content in client.get("/memory").text
        data = {"csrf": csrf, "content": "I live in Suzhou"}
        assert client.post(f"/memory/{known.memory_id}/correct", data=data).status_code == 303
        (newer,) = memory.current(scope)
        assert newer.content == "I live in Suzhou"
        assert "I live in Suzhou" in client.get(f"/memory/{newer.memory_id}/history").text
        assert client.post(f"/memory/{newer.memory_id}/undo", data={"csrf": csrf}).status_code == 303
        lin = another(client)
        token = sign_in(lin, "lin")
        foreign = lin.post(f"/memory/{known.memory_id}/forget", data={"csrf": token, "user": "wang"})
        assert foreign.status_code == 403
        assert lin.post(f"/memory/{known.memory_id}/forget", data={"csrf": token}).status_code == 404
        receipt = client.post(f"/memory/{known.memory_id}/forget", data={"csrf": csrf})
        assert "Receipt of the deletion" in receipt.text
        assert memory.current(scope) == []


def test_a_token_speaks_for_its_person_until_it_is_revoked(house: House) -> None:
    services = house.services
    with services.journal.transaction() as transaction:
        token, secret = add_token(transaction, services.tenant, "chen", label="script", by="root")
    assert house.ask("SELECT count(*) FROM api_tokens WHERE digest = ?", secret) == [(0,)]
    headers = {"authorization": f"Bearer {secret}"}
    with page(house) as client:
        assert client.get("/api/v1/reviews").status_code == 401
        (item,) = client.get("/api/v1/reviews", headers=headers).json()["items"]
        shown = client.get(f"/api/v1/reviews/{item['review_id']}", headers=headers).json()
        said = {"kind": "approve", "seen": shown["digest"]}
        path = f"/api/v1/reviews/{item['review_id']}/decisions"
        assert client.post(path, json=said | {"decided_by": "wang"}, headers=headers).status_code == 422
        assert client.post(path, json=said, headers=headers).json()["invoice_status"] == "booked"
        with services.journal.transaction() as transaction:
            revoke_token(transaction, services.tenant, token.token_id, by="root")
        assert client.get("/api/v1/reviews", headers=headers).status_code == 401
    with services.engine.connect() as connection:
        assert identify(connection, secret) is None


def test_a_submitters_token_reads_nothing(house: House) -> None:
    services = house.services
    with services.journal.transaction() as transaction:
        _, secret = add_token(transaction, services.tenant, "lin", by="root")
    with page(house) as client:
        assert client.get("/api/v1/reviews", headers={"authorization": f"Bearer {secret}"}).status_code == 403


def _run(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code


def test_the_command_line_makes_people_with_passwords_and_tokens(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in house.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD} new\n"))
    assert not _run("users", "add", "qian", "--role", "manager", "--password")
    with house.services.engine.connect() as connection:
        assert password_fits(connection, house.services.tenant, "Qian", f"{PASSWORD} new")
    capsys.readouterr()
    assert not _run("tokens", "add", "qian", "--for", "a script")
    secret = capsys.readouterr().out.split()[-1]
    with house.services.engine.connect() as connection:
        person = identify(connection, secret)
    assert person is not None
    assert person.name == "qian"
    assert not _run("tokens", "list")
    assert secret not in capsys.readouterr().out
