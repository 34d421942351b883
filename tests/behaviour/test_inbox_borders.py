"""Every route, found by walking the application: another tenant's ids, other people's things, forged and hostile input.

A new route, and a new parameter of an old one, fails here until it is in the tables of `tests.support.borders`.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from fastapi.testclient import TestClient

from memory.model import Message
from memory.scope import Scope
from oversight.people import Person, add_person
from oversight.proposals import propose
from oversight.reviews import Decision
from remembrancer.inbox.tokens import add_token
from remembrancer.office import Office, open_office
from tests.support.borders import NAMES, PLAIN, SAFE, Asker, Taken, kept, routes_of, told
from tests.support.house import House
from tests.support.pages import another, page, page_settings, sign_in

ELSEWHERE = "elsewhere"
MADE_UP: Mapping[str, str] = {kind: f"{kind[:3]}_0000000000000000" for kind in (*NAMES.values(), "person")}
ONES_OWN = ("scheduled", "token", "memory")
"""What a person has for himself: no other reviewer sees or changes it."""


@pytest.fixture(scope="module")
def house(staffed_house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two tenants in one database, each with a batch, a review, a memory, a token, a scheduled decision, a proposal."""
    copy = staffed_house.copy(tmp_path_factory.mktemp("borders") / "house")
    yield copy
    copy.close()


@pytest.fixture(scope="module")
def theirs(house: House) -> Mapping[str, str]:
    """The things of a person of another tenant."""
    settings = page_settings(house, tenant=ELSEWHERE, embedder="none")
    with open_office(settings) as office:
        office.audit(house.start(submitter="zoe"), name="september")
        return _furnished(house, office, "zoe")


@pytest.fixture(scope="module")
def client(house: House, theirs: Mapping[str, str]) -> Iterator[TestClient]:
    with page(house, embedder="none", inbox_undo_seconds=600.0) as found:
        yield found


@pytest.fixture(scope="module")
def chens(house: House, client: TestClient) -> Mapping[str, str]:
    """The things of chen, a manager of this tenant."""
    return _furnished(house, client.app.state.frame.office, "chen")


def _furnished(house: House, office: Office, person: str) -> dict[str, str]:
    """Kind -> id of one thing of each kind, all of them real and all of them this person's."""
    services = office.services
    tenant = services.tenant
    memory, scope = services.memory(), Scope.user(tenant, person)
    memory.observe(scope, [Message("m1", "talk", "user", "I live in Hangzhou", datetime(2026, 9, 1, tzinfo=UTC))])
    with services.journal.transaction() as transaction:
        if tenant == ELSEWHERE:
            add_person(transaction.connection, Person(tenant=tenant, name=person, added_at=transaction.at))
    with services.journal.transaction() as transaction:
        token, _ = add_token(transaction, tenant, person, by=person)
        alike = [
            Decision(round=1,
                decision_id=f"dec_{number}", review_id="rev", tenant=tenant, kind="approve", decided_by=person,
                via="inbox", at=transaction.at,
            )
            for number in range(3)
        ]  # fmt: skip
        proposal = propose(transaction, tenant, "known_seller", f"seller of {tenant}", alike)
    assert proposal
    ((review_id, invoice_id),) = house.ask("SELECT review_id, subject FROM reviews WHERE tenant = ?", tenant)
    ((batch_id,),) = house.ask("SELECT batch_id FROM batches WHERE tenant = ?", tenant)
    scheduled = f"sch_{person}"
    row = (
        scheduled,
        tenant,
        review_id,
        "approve",
        "",
        "{}",
        person,
        "inbox",
        "",
        "",
        "2099-01-01 00:00:00",
        "scheduled",
        "",
    )
    house.change(f"INSERT INTO scheduled_decisions VALUES ({', '.join('?' * len(row))})", *row)
    return {
        "review": review_id,
        "invoice": invoice_id,
        "batch": batch_id,
        "memory": memory.current(scope)[0].memory_id,
        "token": token.token_id,
        "scheduled": scheduled,
        "proposal": proposal.proposal_id,
        "person": person,
    }


def _asker(house: House, client: TestClient, name: str, own: Mapping[str, str]) -> Callable[[Taken], Asker]:
    """Asks for pages with a cookie and for the interface with a token, both this person's."""
    browser, script = another(client), another(client)
    csrf = sign_in(browser, name)
    with house.services.journal.transaction() as transaction:
        _, secret = add_token(transaction, house.services.tenant, name, by=name)
    by_cookie = Asker(browser, own, csrf)
    by_token = Asker(script, own, headers={"authorization": f"Bearer {secret}"})
    return lambda taken: by_token if taken.is_api else by_cookie


def test_every_parameter_of_every_route_is_known_to_these_tests(client: TestClient) -> None:
    unknown = {
        f"{taken.method} {taken.path}: {name}"
        for taken in routes_of(client.app)
        for name in taken.parameters
        if name not in NAMES and name not in PLAIN
    }
    assert unknown == set()
    assert len(routes_of(client.app)) > 60


def test_an_id_of_another_tenant_is_as_unknown_as_one_that_was_made_up(
    house: House, client: TestClient, theirs: Mapping[str, str], chens: Mapping[str, str]
) -> None:
    """Asked by an administrator, who may do everything that can be done here."""
    asker, before = _asker(house, client, "root", chens), kept(house, ELSEWHERE)
    tried = 0
    for taken in routes_of(client.app):
        for name in taken.ids:
            kind = taken.kind_of(name)
            found = asker(taken).ask(taken, {name: theirs[kind]})
            none = asker(taken).ask(taken, {name: MADE_UP[kind]})
            where = f"{taken.method} {taken.path}: {name}"
            assert told(found, theirs[kind], MADE_UP[kind]) == told(none, theirs[kind], MADE_UP[kind]), where
            if name in taken.in_path:
                assert found.status_code in {404, 409}, where
            tried += 1
    assert tried > 50
    assert kept(house, ELSEWHERE) == before


@pytest.mark.parametrize(("name", "kinds"), [("lin", tuple(MADE_UP)), ("wang", ONES_OWN)])
def test_what_is_somebody_elses_in_the_same_company_is_refused_like_what_is_not_there(
    house: House, client: TestClient, chens: Mapping[str, str], name: str, kinds: tuple[str, ...]
) -> None:
    """lin brings invoices in and decides nothing; wang is a reviewer, who still has no business with chen's own."""
    own = {**chens, **{kind: MADE_UP[kind] for kind in kinds}, "person": name}
    asker, before = _asker(house, client, name, own), kept(house)
    for taken in routes_of(client.app):
        for parameter in taken.ids:
            kind = taken.kind_of(parameter)
            if kind not in kinds:
                continue
            found = asker(taken).ask(taken, {parameter: chens[kind]})
            none = asker(taken).ask(taken, {parameter: MADE_UP[kind]})
            where = f"{taken.method} {taken.path}: {parameter}"
            assert told(found, chens[kind], MADE_UP[kind]) == told(none, chens[kind], MADE_UP[kind]), where
            assert found.status_code in {200, 303, 403, 404, 409, 422}, where
    assert kept(house) == before


def test_no_change_is_made_without_the_token_of_a_page(
    house: House, client: TestClient, chens: Mapping[str, str]
) -> None:
    asker, before = _asker(house, client, "root", chens), kept(house)
    changing = [taken for taken in routes_of(client.app) if taken.method not in SAFE]
    assert len(changing) > 25
    for taken in changing:
        one = asker(taken)
        if taken.is_api:
            one = Asker(another(client), chens, headers={"cookie": f"remembrancer={_cookie(client)}"})
            assert one.ask(taken).status_code == 401, f"{taken.path} takes a cookie, which another site could send"
            continue
        for forged in ("", "guessed", "ä"):
            assert one.ask(taken, csrf=forged).status_code == 403, f"{taken.method} {taken.path} with {forged!r}"
    assert kept(house) == before


def _cookie(client: TestClient) -> str:
    browser = another(client)
    sign_in(browser, "root")
    return str(browser.cookies["remembrancer"])


EVIL = "\"'><svg/onload=alert(1)><script>alert(1)</script>{{7*7}}"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "reviews": ("headline", "submitter", "batch", "party", "claimed_by"),
    "invoices": ("file",),
    "batches": ("name", "submitter"),
    "batch_files": ("name",),
    "bookings": ("booked_by", "reason"),
    "decisions": ("reason", "decided_by"),
    "rule_proposals": ("party", "why", "decided_by"),
    "brakes": ("why", "pulled_by"),
    "audit_log": ("actor", "subject"),
    "scheduled_decisions": ("reason", "outcome"),
    "api_tokens": ("label",),
    "memories": ("content",),
}
"""Texts that come from people and papers, by table."""
TEXTS_INSIDE: Mapping[str, tuple[str, str]] = {
    "reviews": ("review_id", "question"),
    "invoices": ("invoice_id", "record"),
    "audit_content": ("seq", "content"),
    "feed_events": ("seq", "facts"),
}
"""The same inside JSON: table -> (key, column)."""
_MEANT = frozenset(
    {"kind", "type", "rule", "severity", "field", "action_name", "name", "trigger", "currency", "digest"}
)


def _spoilt(value: Any, name: str = "") -> Any:
    """The same JSON with every text that isn't one of the program's own words replaced by a hostile one."""
    if isinstance(value, dict):
        return {key: _spoilt(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_spoilt(inner, name) for inner in value]
    plain = isinstance(value, str) and name not in _MEANT and not name.endswith(("_id", "_decisions", "at"))
    return EVIL if plain and not value.replace(".", "").isdigit() and value not in {"", "object", "string"} else value


def _spoil(house: House) -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            house.change(f"UPDATE {table} SET {column} = ?", EVIL)
    for table, (key, column) in TEXTS_INSIDE.items():
        for found, text in house.ask(f"SELECT {key}, {column} FROM {table}"):
            house.change(
                f"UPDATE {table} SET {column} = ? WHERE {key} = ?", json.dumps(_spoilt(json.loads(text))), found
            )


def test_no_page_takes_a_text_from_outside_for_its_own_markup(staffed_house: House, tmp_path: Path) -> None:
    spoilt = staffed_house.copy(tmp_path / "spoilt")
    with page(spoilt, embedder="none", inbox_undo_seconds=600.0) as browser:
        own = _furnished(spoilt, browser.app.state.frame.office, "root")
        spoilt.change("UPDATE rule_proposals SET status = 'accepted', decided_at = proposed_at")
        csrf = sign_in(browser, "root")
        browser.post("/brake", data={"csrf": csrf, "do": "pull", "why": "x"})
        _spoil(spoilt)
        asker, shown = Asker(browser, own, csrf), 0
        for taken in routes_of(browser.app):
            if taken.method != "GET" or taken.is_api or taken.path in {"/live", "/sign-in", "/oidc/start"}:
                continue
            for headers in ({}, {"hx-request": "true"}):
                answer = Asker(browser, own, csrf, headers).ask(taken)
                if "text/html" not in answer.headers.get("content-type", ""):
                    continue
                for broken in ("<svg/onload", "<script>alert", "&#34;&#39;><", "\"'>", ">49<"):
                    assert broken not in answer.text, f"{taken.path}: {broken}"
                shown += EVIL[4:15].replace("<", "&lt;") in answer.text
        assert asker.ask(next(t for t in routes_of(browser.app) if t.path == "/memory/forget-me")).status_code == 422
    assert shown > 12, "the hostile text is on most pages, as text"
    spoilt.close()


FORMULAS = ("=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1+1", "\r=1+1", '=HYPERLINK("http://x")', "＝1+1")


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_export_has_a_formula_of_somebody_elses(house: House, client: TestClient, formula: str) -> None:
    for field in ("seller", "number"):
        house.change(f"UPDATE invoices SET record = json_set(record, '$.fields.{field}.value', ?)", formula)
    house.change("UPDATE invoices SET file = ?", formula)
    browser = another(client)
    sign_in(browser, "chen")
    query = "SELECT batch_id FROM invoices WHERE tenant = 'default' ORDER BY invoice_id LIMIT 1"
    ((batch_id,),) = house.ask(query)
    book = openpyxl.load_workbook(io.BytesIO(browser.get(f"/batches/{batch_id}/report.xlsx").content))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert any(formula.strip() in str(cell.value) for cell in cells)
    assert [cell.coordinate for cell in cells if cell.data_type == "f"] == []
    for name in ("report.csv", "vouchers.csv"):
        text = browser.get(f"/batches/{batch_id}/{name}").content.decode("utf-8-sig")
        bare = [line for line in text.splitlines() for part in line.split(",") if part.strip('"').lstrip() == formula]
        assert bare == [], name


def _zip(entries: Mapping[str, bytes], *, link: str = "") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, content in entries.items():
            folder.writestr(name, content)
        if link:
            entry = zipfile.ZipInfo("link.xml")
            entry.external_attr = 0o120777 << 16
            folder.writestr(entry, link)
    return packed.getvalue()


def test_tricks_in_a_zip_reach_nothing_and_stop_nothing(house: House, client: TestClient) -> None:
    paper = next(house.papers.folder.iterdir()).read_bytes()
    inner = _zip({"../../up.xml": paper, "bomb.xml": b" " * 20_000_000})
    tricks = {
        "links.zip": _zip({}, link="/etc/passwd"),
        "nested.zip": _zip({"inner.zip": inner, "C:\\windows\\x.xml": paper, "/etc/abs.xml": paper}),
        "many.zip": _zip({f"{number}.txt": b"" for number in range(3000)}),
        "cut.zip": _zip({"a.xml": paper})[:-30],
        "no.zip": b"PK\x03\x04 is all there is",
    }
    browser = another(client)
    csrf = sign_in(browser, "chen")
    sent = [("files", (name, content)) for name, content in tricks.items()]
    assert browser.post("/batches", data={"csrf": csrf, "label": "tricks"}, files=sent).status_code == 303
    client.app.state.frame.runs.wait()
    ((finished,),) = house.ask("SELECT finished_at IS NOT NULL FROM batches WHERE name LIKE 'tricks-%'")
    assert finished
    ((name,),) = house.ask("SELECT name FROM batches WHERE name LIKE 'tricks-%'")
    assert sorted(path.name for path in (house.settings.home / "uploads" / name).iterdir()) == sorted(tricks)
    assert not [path for path in house.root.rglob("*.xml") if path.name in {"up.xml", "abs.xml", "x.xml", "link.xml"}]
    assert "root:" not in "".join(record or "" for (record,) in house.ask("SELECT record FROM invoices"))
