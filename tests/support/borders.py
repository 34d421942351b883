"""Every route of the page and what it takes, so that a test can try each with ids that are none of the visitor's."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx import Response

from tests.support.house import House

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
NAMES: Mapping[str, str] = {
    "review_id": "review",
    "review": "review",
    "invoice_id": "invoice",
    "batch_id": "batch",
    "batch": "batch",
    "scope": "batch",
    "memory_id": "memory",
    "token_id": "token",
    "scheduled_id": "scheduled",
    "proposal_id": "proposal",
    "user": "person",
    "to": "person",
    "q": "review",
}
"""Parameter -> what it names. A route with a parameter that is neither here nor below fails the test."""
PLAIN = frozenset(
    """
    status trigger rule seller party currency least most age assignee due page number kind do reason why content
    confirm word label claim trip category cost_centre oversight sample submitter files policy event format_name
    limit offset days old new text until first last role password theme lang back next key decision name
    """.split()  # noqa: SIM905 - words, read as words
)
"""Parameters that name nothing of anybody's."""
_PEOPLE = frozenset({"/people/role", "/people/password", "/people/stand-in", "/people/remove"})
"""Here `name` is somebody who is there already."""
_FILLED: Mapping[str, str] = {
    "kind": "approve",
    "do": "release",
    "reason": "because",
    "why": "because",
    "content": "something else",
    "text": "the contract is attached",
    "role": "reviewer",
    "password": "another long password",
    "number": "1",
    "format_name": "json",
    "last": "2099-01-01",
    "until": "2099-01-01",
}


@dataclass(frozen=True)
class Taken:
    """One route by one method, and its parameters by where they stand."""

    method: str
    path: str
    in_path: Sequence[str]
    in_query: Sequence[str]
    in_body: Sequence[str]

    @property
    def parameters(self) -> list[str]:
        """All of them."""
        return [*self.in_path, *self.in_query, *self.in_body]

    def kind_of(self, parameter: str) -> str:
        """What the parameter names, "" for nothing."""
        if parameter == "name" and self.path in _PEOPLE:
            return "person"
        return NAMES.get(parameter, "")

    @property
    def ids(self) -> list[str]:
        """The parameters that name something of somebody's."""
        return [name for name in self.parameters if self.kind_of(name)]

    @property
    def is_api(self) -> bool:
        """Whether it is of the JSON interface."""
        return self.path.startswith("/api/v1")


def routes_of(app: FastAPI) -> list[Taken]:
    """All routes, each by each of its methods."""
    return [taken for route in _walk(app.routes) for taken in _taken(route)]


def _walk(routes: Sequence[Any]) -> Iterator[APIRoute]:
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        elif hasattr(route, "original_router"):
            yield from _walk(route.original_router.routes)
        else:
            assert route.path == "/api/openapi.json", f"{route} is of no kind that is walked"


def _taken(route: APIRoute) -> Iterator[Taken]:
    flat = list(_dependants(route.dependant))
    parts = [
        list(dict.fromkeys(each.alias for one in flat for each in getattr(one, place)))
        for place in ("path_params", "query_params", "body_params")
    ]
    for method in sorted(route.methods - {"HEAD"}):
        yield Taken(method, route.path, *parts)


def _dependants(dependant: Dependant) -> Iterator[Dependant]:
    """What a route takes, and what all that it depends on takes."""
    yield dependant
    for inner in dependant.dependencies:
        yield from _dependants(inner)


@dataclass
class Asker:
    """A browser or a script that asks for routes, filled with one's own things unless something else is put there."""

    client: TestClient
    own: Mapping[str, str]
    csrf: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def ask(self, taken: Taken, instead: Mapping[str, str] | None = None, *, csrf: str | None = None) -> Response:
        """The answer, with `instead` (parameter -> value) in place of one's own."""
        values = {name: self.own.get(taken.kind_of(name), _FILLED.get(name, "")) for name in taken.parameters}
        values |= instead or {}
        path = re.sub(r"\{(\w+)\}", lambda found: values[found[1]], taken.path)
        query = {name: values[name] for name in taken.in_query if values[name]}
        sent: dict[str, Any] = {"params": query, "headers": dict(self.headers)}
        if taken.is_api and taken.method not in SAFE:
            sent["json"] = {"kind": "approve"}
        elif taken.method not in SAFE:
            form = {name: values[name] for name in taken.in_body if values[name] and name != "files"}
            sent["data"] = {"kind": "approve", **form, "csrf": self.csrf if csrf is None else csrf}
        if {"files", "policy"} & set(taken.in_body):
            sent["files"] = [(name, ("a.xml", b"<a/>")) for name in taken.in_body if name in {"files", "policy"}]
        return self.client.request(taken.method, path, **sent)


def told(answer: Response, *ids: str) -> tuple[int, str, str]:
    """What an answer tells: status, where to, and its words, without the ids that were asked about."""
    where, text = answer.headers.get("location", ""), answer.text
    for value in ids:
        where, text = where.replace(value, "ID"), text.replace(value, "ID")
    return answer.status_code, where, text


_TABLES = (
    *("reviews", "approvals", "decisions", "people", "brakes", "rule_proposals", "bookings", "batches", "invoices"),
    *("memories", "credentials", "api_tokens", "scheduled_decisions"),
)


def kept(house: House, mentions: str = "") -> dict[str, list[str]]:
    """The rows of all that a page may change; with `mentions`, only those in which that word stands."""
    found = {name: [repr(row) for row in house.ask(f"SELECT * FROM {name}")] for name in _TABLES}
    return {name: sorted(row for row in rows if mentions in row) for name, rows in found.items()}
