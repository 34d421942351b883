"""The JSON interface keeps what its OpenAPI document says, whatever is sent to it."""

from collections.abc import Iterator

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings

from remembrancer.inbox.tokens import add_token
from tests.support.house import House
from tests.support.pages import page

EXAMPLES = 12


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


def _operations(app: FastAPI) -> list[schemathesis.APIOperation]:  # type: ignore[type-arg]
    schema = schemathesis.openapi.from_dict(app.openapi())
    return [result.ok() for result in schema.get_all_operations()]


def test_every_operation_answers_as_it_is_described(client: TestClient) -> None:
    operations = _operations(client.app)  # type: ignore[arg-type]
    assert len(operations) >= 7
    for operation in operations:
        _fuzz(operation, client)


def _fuzz(operation: schemathesis.APIOperation, client: TestClient) -> None:  # type: ignore[type-arg]
    from hypothesis import given

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
    )
    @given(case=operation.as_strategy())
    def answers(case: schemathesis.Case) -> None:
        sent = case.as_transport_kwargs(base_url="http://localhost")
        sent["headers"] = {**(sent.get("headers") or {}), "authorization": client.headers["authorization"]}
        sent.pop("cookies", None)
        answer = client.request(**sent)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        documented = operation.definition.raw["responses"]
        assert str(answer.status_code) in documented, f"{operation.label} answers {answer.status_code}: {answer.text}"
        if answer.status_code >= 400:
            assert set(answer.json()) == {"error"}

    answers()
