"""Notices reach people once, with a link to the review; nothing is sent unless somebody says where to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from pydantic import SecretStr

from foundation.errors import UsageError
from remembrancer.notifying import deliver, send_test
from remembrancer.office import Office, open_office
from tests.support.house import House
from tests.support.pages import audited

# Apprise looks at pictures with a module of the library that is going away.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")


class _Hearing(BaseHTTPRequestHandler):
    """Takes what is posted; refuses it while `status` says so."""

    heard: ClassVar[list[dict[str, str]]]
    status = 200

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        type(self).heard.append(json.loads(content))
        self.send_response(type(self).status)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing."""


@contextmanager
def _place() -> Iterator[tuple[str, type[_Hearing]]]:
    """A place that notices can be sent to, on this machine."""

    class Hearing(_Hearing):
        heard: ClassVar[list[dict[str, str]]] = []

    server = HTTPServer(("127.0.0.1", 0), Hearing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"json://127.0.0.1:{server.server_port}", Hearing
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def _office(house: House, place: str) -> Iterator[Office]:
    changes = {"notify_urls": SecretStr(place), "inbox_url": "https://audit.example"}
    with open_office(house.settings.model_copy(update=changes), sweep=False) as office:
        yield office


def test_a_review_that_waits_is_told_of_once_with_a_link(house: House) -> None:
    (review_id,) = audited(house, submitter="lin")
    with _place() as (place, hearing), _office(house, place) as office:
        office.decide(review_id, "respond", by="chen", reason="is this the new id?")
        first = deliver(office)
        assert first == len(hearing.heard) > 0
        assert any(f"https://audit.example/reviews/{review_id}" in one["message"] for one in hearing.heard)
        assert deliver(office) == 0


def test_what_could_not_be_sent_is_tried_again(house: House) -> None:
    (review_id,) = audited(house, submitter="lin")
    with _place() as (place, hearing), _office(house, place) as office:
        office.decide(review_id, "respond", by="chen", reason="is this the new id?")
        hearing.status = 503
        assert deliver(office) == 0
        hearing.status = 200
        house.change("UPDATE notices SET due_at = created_at")
        assert deliver(office) > 0


def test_nothing_is_sent_where_nobody_says_where_to(house: House) -> None:
    audited(house, submitter="lin")
    with house.office() as office:
        assert deliver(office) == 0
    with pytest.raises(UsageError, match="REMEMBRANCER_NOTIFY_URLS"):
        send_test(house.settings)


def test_a_test_says_which_place_it_reached_and_shows_no_secret(house: House) -> None:
    with _place() as (place, hearing):
        good = place.replace("://", "://me:secret-word@")
        settings = house.settings.model_copy(update={"notify_urls": SecretStr(f"{good} no-such-scheme://x")})
        arrived, lost = send_test(settings)
        assert (arrived.arrived, lost.arrived) == (True, False)
        assert "secret-word" not in arrived.place
        assert len(hearing.heard) == 1
