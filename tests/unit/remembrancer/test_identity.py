"""Who is let in by the server: by token, or as the machine's own user where nobody has one."""

import pytest

from foundation.errors import SettingsError
from remembrancer.server.identity import Doorkeeper, Sender
from remembrancer.settings import load_settings

_TOKEN = "lin-0123456789abcdef"
_WITH_TOKENS = Doorkeeper({_TOKEN: "lin"}, "account")
_ALONE = Doorkeeper({}, "account")
_HERE = {"host": "127.0.0.1:2024"}


@pytest.mark.parametrize(
    "headers", [{"authorization": f"Bearer {_TOKEN}"}, {"authorization": f"bearer {_TOKEN} "}, {"x-api-key": _TOKEN}]
)
def test_a_token_says_whose_it_is(headers: dict[str, str]) -> None:
    assert _WITH_TOKENS.admit(headers, "203.0.113.9") == Sender("lin")


@pytest.mark.parametrize("headers", [{}, _HERE, {"authorization": f"Basic {_TOKEN}"}, {"x-api-key": _TOKEN[:-1]}])
def test_where_there_are_tokens_nobody_comes_in_without_one(headers: dict[str, str]) -> None:
    assert _WITH_TOKENS.admit(headers, "127.0.0.1") is None


@pytest.mark.parametrize(
    "headers",
    [
        _HERE,
        {"host": "localhost:2024"},
        {"host": "[::1]:2024"},
        {**_HERE, "origin": "http://localhost:3000"},
        {**_HERE, "origin": "https://smith.langchain.com"},
    ],
)
def test_without_any_token_the_machines_own_user_is_the_account(headers: dict[str, str]) -> None:
    assert _ALONE.admit(headers, "127.0.0.1") == Sender("account", alone=True)


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        (_HERE, "203.0.113.9"),
        ({}, "127.0.0.1"),
        ({"host": "rebound.example:2024"}, "127.0.0.1"),
        ({**_HERE, "origin": "https://evil.example"}, "127.0.0.1"),
        ({**_HERE, "origin": "null"}, "127.0.0.1"),
        ({**_HERE, "x-forwarded-for": "203.0.113.9"}, "127.0.0.1"),
        (_HERE, ""),
    ],
)
def test_without_any_token_nothing_from_elsewhere_is_let_in(headers: dict[str, str], client: str) -> None:
    assert _ALONE.admit(headers, client) is None


def test_a_token_of_the_database_says_whose_it_is_and_people_close_the_door() -> None:
    keeper = Doorkeeper({}, "account", look_up={"rmb_secret": "wu"}.get, closed=True)  # type: ignore[arg-type]
    assert keeper.admit({"authorization": "Bearer rmb_secret"}, "203.0.113.9") == Sender("wu")
    assert keeper.admit({**_HERE, "authorization": "Bearer other"}, "127.0.0.1") is None
    assert keeper.admit(_HERE, "127.0.0.1") is None


@pytest.mark.parametrize("value", ["lin", "lin:short", ":0123456789abcdef0", "lin:0123456789abcdef0,wu"])
def test_a_token_that_names_nobody_or_is_guessed_stops_the_start_and_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("REMEMBRANCER_API_TOKENS", value)
    with pytest.raises(SettingsError, match="NAME:TOKEN") as raised:
        load_settings(_env_file=None)
    assert value not in str(raised.value)
