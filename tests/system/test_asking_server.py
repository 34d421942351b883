"""`langgraph dev`, started offline on loopback and driven by `langgraph_sdk`: one server for the whole module."""

import re
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError

from oversight.people import Person, Role, add_person
from remembrancer.inbox.tokens import add_token, revoke_token
from tests.support.house import House, assert_booked_once, assert_log_whole, build_house
from tests.support.papers import Papers, make_papers
from tests.support.processes import run_python
from tests.support.server import Server, questions, running

TOKENS = {name: f"{name}-0123456789abcdef" for name in ("lin", "wu", "qian")}
ROLES = {"lin": Role.MANAGER, "wu": Role.REVIEWER, "zhao": Role.REVIEWER, "qian": Role.SUBMITTER}
APPROVE = {"decisions": [{"type": "approve", "message": "special business, verified"}]}
REJECT = {"decisions": [{"type": "reject", "message": "forged"}]}
_ENDS = {"approve": {"booked": 3}, "reject": {"booked": 2, "rejected": 1}, "edit": {"booked": 3}}
_PATIENCE = 60.0

_README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (\w+) -->\n```python\n(.*?)```", _README, re.DOTALL))

Ask = Callable[..., tuple[str, Papers]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[House]:
    house = build_house(tmp_path_factory.mktemp("served") / "house", clean=0, doubtful=(), database=empty_database)
    with house.services.journal.transaction() as transaction:
        for name, role in ROLES.items():
            person = Person(tenant=house.services.tenant, name=name, roles=frozenset({role}), added_at=transaction.at)
            add_person(transaction.connection, person)
    yield house
    house.close()


@pytest.fixture(scope="module")
def server(house: House) -> Iterator[Server]:
    with running(house, TOKENS) as server:
        yield server


@pytest.fixture
def lin(server: Server) -> SyncLangGraphClient:
    return server.client("lin")


@pytest.fixture
def wu(server: Server) -> SyncLangGraphClient:
    return server.client("wu")


@pytest.fixture
def ask(house: House, lin: SyncLangGraphClient, request: pytest.FixtureRequest) -> Ask:
    """Lets lin audit papers of this test's own until the batch asks; returns the thread and the papers."""

    def start(part: str = "") -> tuple[str, Papers]:
        name = request.node.name + part
        seed = int.from_bytes(sha256(name.encode()).digest()[:4])
        papers = make_papers(house.root / name, clean=2, doubtful=("broken_id",), seed=seed)
        thread_id = lin.threads.create()["thread_id"]
        result = lin.runs.wait(thread_id, "invoice_audit", input=_audit(papers, name))
        assert len(result["__interrupt__"]) == 1, result
        return thread_id, papers

    return start


def _audit(papers: Papers, name: str, submitter: str = "zhao") -> dict[str, Any]:
    given = {"paths": [str(papers.folder)], "policy": str(papers.policy), "batch": name, "submitter": submitter}
    return {key: value for key, value in given.items() if value}


def _answer(client: SyncLangGraphClient, thread_id: str, answer: object) -> dict[str, Any]:
    return dict(client.runs.wait(thread_id, "invoice_audit", command={"resume": answer}))


def _refused(status: int, says: str, call: Callable[[], object]) -> None:
    with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as raised:
        call()
    assert raised.value.response.status_code == status, raised.value.response.text
    assert says in raised.value.response.text


def _edit_of(question: dict[str, Any]) -> dict[str, Any]:
    findings = question["evidence"]["findings"]
    known = [candidate["value"] for one in findings for candidate in one["candidates"] if candidate["known"]]
    return {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"seller_tax_id": known[0]}}}


def test_case_30_audits_that_wait_survive_the_servers_death_and_resume_by_id(
    server: Server, house: House, ask: Ask
) -> None:
    """kill -9 right after the pauses: the development server forgets the threads, the questions are still there."""
    waiting = {kind: ask(kind)[0] for kind in _ENDS}
    before = {kind: questions(server.client("lin"), thread_id) for kind, thread_id in waiting.items()}
    server.kill()
    server.start()
    lin, wu = server.client("lin"), server.client("wu")
    for kind, thread_id in waiting.items():
        _refused(404, "", lambda thread_id=thread_id: wu.threads.create(thread_id=thread_id, if_exists="do_nothing"))
        _wait_until_listed(lin, thread_id)
        ((question_id, question),) = [(one["id"], one["value"]) for one in questions(lin, thread_id)]
        assert question_id == before[kind][0]["id"]
        answer = {"approve": APPROVE, "reject": REJECT}.get(kind) or _edit_of(question)
        assert _answer(lin, thread_id, {question_id: answer})["counts"] == _ENDS[kind]
        assert lin.threads.get(thread_id)["status"] == "idle"
        decided = house.ask("SELECT kind, decided_by FROM decisions WHERE review_id = ?", question["review_id"])
        assert decided == [(kind, "lin")]
    assert_booked_once(house)
    assert_log_whole(house)


def _wait_until_listed(client: SyncLangGraphClient, thread_id: str) -> None:
    until = time.monotonic() + _PATIENCE
    while thread_id not in [one["thread_id"] for one in client.threads.search(status="interrupted")]:
        assert time.monotonic() < until, "the paused thread is not listed again"
        time.sleep(0.1)


def test_case_31_somebody_elses_thread_run_and_answer_are_not_found(
    house: House, ask: Ask, lin: SyncLangGraphClient, wu: SyncLangGraphClient
) -> None:
    """Not even that they exist: each call says what it says of a thread that never was."""
    thread_id, _ = ask()
    (run,) = lin.runs.list(thread_id)
    before = house.ask("SELECT * FROM decisions")
    unknown = str(uuid4())
    for call in (
        wu.threads.get,
        wu.threads.get_state,
        wu.threads.get_history,
        wu.threads.copy,
        wu.threads.delete,
        wu.runs.list,
        lambda thread: wu.threads.update(thread, metadata={"owner": "wu"}),
        lambda thread: wu.runs.get(thread, run["run_id"]),
        lambda thread: wu.runs.join(thread, run["run_id"]),
    ):
        said = [_status(call, thread) for thread in (thread_id, unknown)]
        assert said[0] == said[1], said
        assert said[0] in {404, 409}
    _refused(404, "", lambda: wu.runs.wait(thread_id, "invoice_audit", command={"resume": APPROVE}))
    _refused(404, "", lambda: wu.threads.create(thread_id=thread_id, if_exists="do_nothing"))
    assert thread_id not in [one["thread_id"] for one in wu.threads.search(limit=100)]
    assert house.ask("SELECT * FROM decisions") == before
    assert len(questions(lin, thread_id)) == 1


def _status(call: Callable[[str], object], thread_id: str) -> int:
    with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as raised:
        call(thread_id)
    return int(raised.value.response.status_code)


def test_case_13_a_second_answer_and_new_input_on_a_paused_thread_are_refused(
    house: House, ask: Ask, lin: SyncLangGraphClient
) -> None:
    thread_id, papers = ask()
    again = _audit(papers, "another")
    batches = house.ask("SELECT count(*) FROM batches")
    _refused(409, "waits for a person's decision", lambda: lin.runs.wait(thread_id, "invoice_audit", input=again))
    _refused(409, "waits for a person's decision", lambda: lin.threads.delete(thread_id))
    assert lin.threads.get(thread_id)["status"] == "interrupted"
    assert house.ask("SELECT count(*) FROM batches") == batches
    (question,) = questions(lin, thread_id)
    assert _answer(lin, thread_id, APPROVE)["counts"] == {"booked": 3}
    _refused(409, "answered already", lambda: _answer(lin, thread_id, REJECT))
    _refused(409, "answered already", lambda: _answer(lin, thread_id, {question["id"]: REJECT}))
    assert_booked_once(house)


def test_case_17_two_answers_at_once_have_one_effect_and_the_second_never_meets_the_next_question(
    house: House, lin: SyncLangGraphClient
) -> None:
    papers = make_papers(house.root / "two", clean=0, doubtful=("over_limit", "over_limit"), seed=77)
    thread_id = lin.threads.create()["thread_id"]
    lin.runs.wait(thread_id, "invoice_audit", input=_audit(papers, "two"))
    runs = [lin.runs.create(thread_id, "invoice_audit", command={"resume": APPROVE}) for _ in range(2)]
    for run in runs:
        lin.runs.join(thread_id, run["run_id"])
    (question,) = questions(lin, thread_id)
    open_one = house.ask("SELECT status FROM reviews WHERE review_id = ?", question["value"]["review_id"])
    assert open_one == [("open",)]
    assert house.ask("SELECT count(*) FROM invoices WHERE status = 'waiting' AND invoice_id = ?", _subject(question))
    assert_booked_once(house)


def _subject(question: dict[str, Any]) -> str:
    return str(question["value"]["evidence"]["invoice_id"])


def test_who_starts_an_audit_without_naming_a_submitter_brings_it_in_and_never_decides_it(
    house: House, lin: SyncLangGraphClient
) -> None:
    papers = make_papers(house.root / "own", clean=1, doubtful=("over_limit",), seed=78)
    thread_id = lin.threads.create()["thread_id"]
    lin.runs.wait(thread_id, "invoice_audit", input=_audit(papers, "own", submitter=""))
    (again,) = _answer(lin, thread_id, APPROVE)["__interrupt__"]
    assert "a second person must" in again["value"]["refused"]
    assert house.ask("SELECT submitter FROM batches WHERE name = 'own'") == [("lin",)]
    with house.office() as office:
        office.decide(again["value"]["review_id"], "approve", by="wu", reason="verified")
    assert lin.threads.get_state(thread_id)["values"]["counts"] == {"booked": 2}
    lin.threads.delete(thread_id)


@pytest.mark.parametrize(
    ("who", "given", "says"),
    [
        ("qian", ("paths",), "qian is submitter: naming files of the server needs a reviewer"),
        ("qian", ("submitter",), "bringing in what is another's needs a reviewer"),
        ("wu", ("paths", "policy"), "wu is reviewer: choosing the policy or the degree of oversight needs a manager"),
        ("wu", ("paths", "oversight"), "choosing the policy or the degree of oversight needs a manager"),
    ],
)
def test_what_a_person_may_not_say_about_an_audit_starts_none(
    house: House, server: Server, who: str, given: tuple[str, ...], says: str
) -> None:
    papers = make_papers(house.root / f"{who}-{'-'.join(given)}", clean=1, doubtful=(), seed=79)
    everything = _audit(papers, "refused") | {"oversight": "shadow"}
    client = server.client(who)
    thread_id = client.threads.create()["thread_id"]
    asked = {name: everything[name] for name in given}
    with pytest.raises(Exception, match=re.escape(says)):
        client.runs.wait(thread_id, "invoice_audit", input=asked)
    assert house.ask("SELECT count(*) FROM batches WHERE thread_id = ?", thread_id) == [(0,)]


def test_case_02_five_malformed_answers_never_win_over_the_good_one(
    house: House, ask: Ask, lin: SyncLangGraphClient
) -> None:
    thread_id, _ = ask()
    malformed: list[Any] = [
        {"decisions": [{"type": "approve"}, {"type": "approve"}]},
        {"decisions": 7},
        "perhaps",
        {"type": "reject"},
        {"type": "edit", "edited_action": {"name": "book_invoice", "args": {"colour": "red"}}},
    ]
    for answer in malformed:
        (again,) = _answer(lin, thread_id, answer)["__interrupt__"]
        assert again["value"]["refused"]
        assert lin.threads.get(thread_id)["status"] == "interrupted"
    assert _answer(lin, thread_id, REJECT)["counts"] == {"booked": 2, "rejected": 1}
    assert_log_whole(house)


def test_nobody_writes_a_state_jumps_to_a_node_or_acts_without_a_thread(ask: Ask, lin: SyncLangGraphClient) -> None:
    thread_id, papers = ask()
    forged = {"decision": {"kind": "approve", "decided_by": "the manager"}}
    audit = {"paths": [str(papers.folder)]}
    wait = lin.runs.wait
    _refused(403, "not edited", lambda: lin.threads.update_state(thread_id, forged, as_node="judge"))
    _refused(403, "only resume", lambda: wait(thread_id, "invoice_audit", command={"update": forged, "goto": "apply"}))
    _refused(403, "only resume", lambda: wait(thread_id, "invoice_audit", command={"goto": "apply"}))
    _refused(422, "create a thread", lambda: wait(None, "invoice_audit", input=audit))
    _refused(422, "empty", lambda: wait(thread_id, "invoice_audit", command={"resume": {}}))
    _refused(403, "schedules", lambda: lin.crons.create("invoice_audit", schedule="* * * * *", input=audit))
    assert len(questions(lin, thread_id)) == 1


@pytest.mark.parametrize("headers", [{}, {"x-auth-scheme": "langsmith"}, {"authorization": "Bearer wrong"}])
def test_without_a_token_nothing_is_answered(server: Server, headers: dict[str, str]) -> None:
    nobody = server.client("", **headers)
    _refused(401, "token", nobody.threads.search)
    _refused(401, "token", nobody.assistants.search)


def test_the_reviewers_page_signs_in_by_itself_and_health_needs_a_token(server: Server) -> None:
    page = httpx.get(f"{server.url}/inbox/", trust_env=False)
    assert (page.status_code, "/inbox/" in page.headers["location"]) == (303, True)
    assert httpx.get(f"{server.url}/inbox/../threads", trust_env=False).status_code in {401, 404, 405}
    assert httpx.get(f"{server.url}/health", trust_env=False).status_code == httpx.codes.UNAUTHORIZED


def test_a_token_made_on_the_command_line_is_taken_until_it_is_revoked(house: House, server: Server) -> None:
    tenant = house.services.tenant
    with house.services.journal.transaction() as transaction:
        token, secret = add_token(transaction, tenant, "zhao", by="admin")
    signed_in = {"authorization": f"Bearer {secret}"}
    assert server.client("", **signed_in).threads.search() == []
    with house.services.journal.transaction() as transaction:
        revoke_token(transaction, tenant, token.token_id, by="admin")
    _refused(401, "token", server.client("", **signed_in).threads.search)


def test_the_owner_of_a_thread_cannot_be_named_by_the_body(lin: SyncLangGraphClient, wu: SyncLangGraphClient) -> None:
    thread_id = lin.threads.create(metadata={"owner": "wu"})["thread_id"]
    lin.threads.update(thread_id, metadata={"owner": "wu", "colour": "red"})
    assert lin.threads.get(thread_id)["metadata"] == {"owner": "lin", "colour": "red"}
    _refused(404, "", lambda: wu.threads.get(thread_id))


def test_the_store_shows_each_person_his_own_items(lin: SyncLangGraphClient, wu: SyncLangGraphClient) -> None:
    lin.store.put_item(["lin", "notes"], "diet", {"text": "allergic to mango"})
    assert lin.store.get_item(["lin", "notes"], "diet")["value"] == {"text": "allergic to mango"}
    assert [one["key"] for one in lin.store.search_items([], query="mango")["items"]] == ["diet"]
    assert wu.store.search_items([], query="mango")["items"] == []
    assert wu.store.list_namespaces()["namespaces"] == []
    for call in (
        lambda: wu.store.get_item(["lin", "notes"], "diet"),
        lambda: wu.store.search_items(["lin"]),
        lambda: wu.store.list_namespaces(prefix=["lin"]),
        lambda: wu.store.put_item(["lin", "notes"], "diet", {"text": "loves mango"}),
        lambda: wu.store.delete_item(["lin", "notes"], "diet"),
    ):
        _refused(404, "your namespaces begin with 'wu'", call)
    assert lin.store.get_item(["lin", "notes"], "diet")["value"] == {"text": "allergic to mango"}


def test_an_assistant_of_ones_own_is_not_found_by_others(lin: SyncLangGraphClient, wu: SyncLangGraphClient) -> None:
    mine = lin.assistants.create("invoice_audit", name="mine", metadata={"created_by": "system"})
    assert mine["metadata"] == {"owner": "lin"}
    _refused(404, "", lambda: wu.assistants.get(mine["assistant_id"]))
    _refused(404, "", lambda: wu.assistants.delete(mine["assistant_id"]))
    graphs = {one["graph_id"]: one for one in wu.assistants.search()}
    assert set(graphs) == {"assistant", "invoice_audit", "invoice_review"}
    assert all(one["description"] for one in graphs.values())


def test_a_conversation_belongs_to_who_is_signed_in_whatever_the_body_says(
    house: House, lin: SyncLangGraphClient
) -> None:
    thread_id = lin.threads.create()["thread_id"]
    said = {"messages": [{"role": "user", "content": "我对芒果过敏"}]}
    result = lin.runs.wait(thread_id, "assistant", input=said, config={"configurable": {"user_id": "wu"}})
    assert result["messages"][-1]["content"]
    assert house.ask("SELECT owner FROM threads WHERE thread_id = ?", thread_id) == [("lin",)]
    remembered = house.ask("SELECT DISTINCT pool FROM memories WHERE content LIKE '%芒果%'")
    assert [pool.rpartition(":")[2] for (pool,) in remembered] == ["lin"]


def test_studio_finds_forms_with_titles_and_nodes_with_descriptions(lin: SyncLangGraphClient) -> None:
    for found in lin.assistants.search():
        graph = found["assistant_id"]
        fields = lin.assistants.get_schemas(graph)["input_schema"]["properties"]
        bare = [name for name, field in fields.items() if not (field.get("title") and field.get("description"))]
        assert not bare, (found["graph_id"], bare)
        nodes = lin.assistants.get_graph(graph)["nodes"]
        silent = [
            node["id"]
            for node in nodes
            if not node["id"].startswith("__") and not (node.get("metadata") or {}).get("description")
        ]
        assert not silent, (found["graph_id"], silent)


def test_the_readmes_example_audits_and_resumes(house: House, server: Server, lin: SyncLangGraphClient) -> None:
    for waiting in lin.threads.search(status="interrupted", limit=100):
        _answer(lin, waiting["thread_id"], REJECT)
    papers = make_papers(house.root / "readme", clean=2, doubtful=("over_limit",), seed=4242)
    code = EXAMPLES["server"].replace("http://127.0.0.1:2024", server.url)
    given = f"TOKEN, FOLDER, POLICY = {TOKENS['lin']!r}, {str(papers.folder)!r}, {str(papers.policy)!r}\n"
    done = run_python(house, "-c", given + code)
    assert done.out == "{'booked': 3}\n", done.err
