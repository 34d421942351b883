"""The JSON interface keeps what its OpenAPI document says, whatever schemathesis makes up from that document."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.generation.hypothesis.builder import generate_coverage_cases
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from remembrancer.inbox.tokens import add_token
from tests.support.browsers import served
from tests.support.house import House
from tests.support.pages import page_settings

EXAMPLES, EXAMPLES_OF_A_SOAK = 8, 1_500
OPERATIONS = 7
"""Six under /api/v1, and /healthz."""


@pytest.fixture(scope="module")
def house(staffed_house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A copy of the staffed house: one invoice waits."""
    copy = staffed_house.copy(tmp_path_factory.mktemp("interface") / "house")
    yield copy
    copy.close()


@dataclass(frozen=True)
class Interface:
    """The page, served; what schemathesis reads of its document; a manager's token; what is really there."""

    house: House
    schema: BaseSchema
    headers: Mapping[str, str]
    known: Mapping[str, str]
    home: str
    session: requests.Session


@pytest.fixture(scope="module")
def interface(house: House) -> Iterator[Interface]:
    with house.services.journal.transaction() as transaction:
        _, secret = add_token(transaction, house.services.tenant, "chen", by="root")
    ((review_id, invoice_id),) = house.ask("SELECT review_id, subject FROM reviews")
    ((batch_id,),) = house.ask("SELECT batch_id FROM batches")
    known = {"review_id": review_id, "invoice_id": invoice_id, "batch_id": batch_id}
    with served(page_settings(house)) as home, requests.Session() as session:
        loaded = schemathesis.openapi.from_url(f"{home}/api/openapi.json")
        yield Interface(house, loaded, {"Authorization": f"Bearer {secret}"}, known, home, session)


def _operations(schema: BaseSchema) -> list[APIOperation]:
    return [found.ok() for found in schema.get_all_operations()]


def _send_anything(interface: Interface, operation: APIOperation, mode: GenerationMode, examples: int) -> None:
    """Made-up requests to one operation, half of them about things that are there; every check of schemathesis'.

    One is excused: which fields may be edited is said by a review, not by the document, so a well-formed edit of a
    real review may be refused.
    """

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans())
    def answers(case: Case, real: bool) -> None:
        for name in set(case.path_parameters) & set(interface.known) if real else ():
            case.path_parameters[name] = interface.known[name]
        assume(_is_sent(interface, case))
        excused = [positive_data_acceptance] if real and operation.method == "post" else []
        case.call_and_validate(headers=dict(interface.headers), session=interface.session, excluded_checks=excused)

    answers()


def _is_sent(interface: Interface, case: Case) -> bool:
    """Whether each made-up part of the query reaches the server: an empty list is no wrong one, it is none at all."""
    sent = requests.Request(**case.as_transport_kwargs(base_url=interface.home)).prepare().url or ""
    return set(case.query or ()) <= set(parse_qs(urlsplit(sent).query, keep_blank_values=True))


def _modes(operation: APIOperation) -> list[GenerationMode]:
    """Both, where there is anything that could be wrong."""
    wrong = [GenerationMode.NEGATIVE] if operation.path_parameters or operation.query or operation.body else []
    return [GenerationMode.POSITIVE, *wrong]


def _all_of(interface: Interface, examples: int) -> None:
    operations = _operations(interface.schema)
    assert len(operations) == OPERATIONS
    for operation in operations:
        for mode in _modes(operation):
            _send_anything(interface, operation, mode, examples)


def test_every_operation_answers_as_it_is_described(interface: Interface) -> None:
    _all_of(interface, EXAMPLES)


@pytest.mark.soak
def test_every_edge_of_the_document_is_answered_as_described(interface: Interface) -> None:
    """The cases that need no chance: each limit, each missing part, each method that isn't there."""
    for operation in _operations(interface.schema):
        edges = generate_coverage_cases(
            operation=operation,
            generation_modes=_modes(operation),
            auth_storage=None,
            as_strategy_kwargs={},
            generate_duplicate_query_parameters=False,
            unexpected_methods={"put", "delete", "patch"},
            generation_config=interface.schema.config.generation,
        )
        for case in edges:
            case.call_and_validate(headers=dict(interface.headers), session=interface.session)


@pytest.mark.soak
def test_every_operation_answers_as_it_is_described_however_long_one_tries(interface: Interface) -> None:
    _all_of(interface, EXAMPLES_OF_A_SOAK)
