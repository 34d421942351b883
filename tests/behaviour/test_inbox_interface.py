"""The JSON interface keeps what its OpenAPI document says, whatever is sent to it."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remembrancer.inbox.tokens import add_token
from tests.support.house import House
from tests.support.pages import page

EXAMPLES = 15
ODD = ("", "..", "'", "a/b", "\x00", "=1+1", "<b>", "9" * 400, "{}", "null", "-1", "approve", "edit")
TEXTS = st.one_of(st.sampled_from(ODD), st.text(max_size=30))
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(), st.none(), st.booleans()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def client(staffed_house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The page of a copied house, with a manager's token."""
    house = staffed_house.copy(tmp_path_factory.mktemp("interface") / "house")
    with house.services.journal.transaction() as transaction:
        _, secret = add_token(transaction, house.services.tenant, "chen", by="root")
    with page(house) as found:
        found.headers["authorization"] = f"Bearer {secret}"
        yield found
    house.close()


def _operations(client: TestClient) -> list[tuple[str, str, Mapping[str, Any]]]:
    """(method, path, definition) of everything that the document describes under /api/v1."""
    document = client.get("/api/openapi.json").json()
    found = [result.ok() for result in schemathesis.openapi.from_dict(document).get_all_operations()]
    return [(one.method, one.path, one.definition.raw) for one in found if one.path.startswith("/api/v1")]


def _known(client: TestClient) -> list[str]:
    (item,) = client.get("/api/v1/reviews").json()["items"]
    batches = [batch["batch_id"] for batch in client.get("/api/v1/batches").json()]
    return [item["review_id"], item["invoice_id"], *batches]


def test_every_operation_answers_as_it_is_described(client: TestClient) -> None:
    operations = _operations(client)
    assert len(operations) == 6
    ids = st.one_of(st.sampled_from(_known(client)), TEXTS)

    for method, path, definition in operations:
        _send_anything(client, ids, method, path, definition)


def _send_anything(
    client: TestClient, ids: st.SearchStrategy[str], method: str, path: str, definition: Mapping[str, Any]
) -> None:
    names = [each["name"] for each in definition.get("parameters", ()) if each["in"] == "query"]

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        place=ids,
        query=st.dictionaries(st.sampled_from(names or ["x"]), TEXTS, max_size=4),
        body=st.dictionaries(st.sampled_from(["kind", "reason", "edits", "seen", "decided_by"]), VALUES),
    )
    def answers(place: str, query: dict[str, str], body: dict[str, Any]) -> None:
        sent = {"json": body} if method == "post" else {}
        filled = "/".join(quote(place, safe="") if part.startswith("{") else part for part in path.split("/"))
        answer = client.request(method, filled, params=query, **sent)
        # A place of dots or with a slash is another path, where there may be nothing.
        elsewhere = {"404", "405"} if "/" in place or not place.strip("./") else set()
        assert str(answer.status_code) in elsewhere | set(definition["responses"]), f"{filled}: {answer.status_code}"
        if answer.status_code >= 400:
            assert set(answer.json()) == {"error"}

    answers()
