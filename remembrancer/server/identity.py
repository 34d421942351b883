"""Who sends a request: read from its token, never from its body.

Where there are neither tokens nor people, the machine's own user is alone: requests from this machine act under the
account's name.
Pages of other sites that his browser shows are kept out by their origin, all but LangGraph Studio's.
"""

import hashlib
import hmac
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

STUDIO_ORIGINS = ("https://smith.langchain.com", "https://eu.smith.langchain.com")
"""Where Studio's page is served from; `langgraph.json` lets the same origins read answers."""
PAGE = "/inbox"
"""Where the reviewers' page stands beside LangGraph's own interface."""
_THROUGH_A_PROXY = ("forwarded", "x-forwarded-for", "x-real-ip")


@dataclass(frozen=True, slots=True)
class Sender:
    """Somebody who may use the server."""

    name: str
    alone: bool = False
    """Whether he is let in as the machine's own user, without a token."""


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """Knows the tokens, and the account that runs the server."""

    tokens: Mapping[str, str]
    """Token -> whose it is."""
    account: str
    look_up: Callable[[str], str] = lambda _: ""
    """Whose a token of the database is; "" for one that isn't in force."""
    closed: bool = False
    """Whether there are people: then nobody comes in by being at the machine."""

    def admit(self, headers: Mapping[str, str], client: str) -> Sender | None:
        """The sender, None where he isn't known.

        Args:
            headers: the request's, names in lower case.
            client: the address it came from.
        """
        token = _token(headers)
        if token and (name := self._owner(token) or self.look_up(token)):
            return Sender(name)
        if self.tokens or self.closed:
            return None
        return Sender(self.account, alone=True) if _from_this_machine(headers, client) else None

    def _owner(self, token: str) -> str:
        found = ""
        for known, name in self.tokens.items():
            # All are compared, each in constant time: how long it takes tells nothing.
            if hmac.compare_digest(_hash(known), _hash(token)):
                found = name
        return found


def headers_of(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """An ASGI scope's headers by name; of a repeated one the last."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _token(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "").strip()


def _from_this_machine(headers: Mapping[str, str], client: str) -> bool:
    if any(name in headers for name in _THROUGH_A_PROXY):
        return False
    # A foreign name that resolves to this machine would come with that name as its host.
    if not _is_loopback(client) or not _is_loopback(urlsplit(f"//{headers.get('host', '')}").hostname or ""):
        return False
    origin = headers.get("origin", "")
    return not origin or origin in STUDIO_ORIGINS or _is_loopback(urlsplit(origin).hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
