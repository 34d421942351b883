"""The same memory tools over HTTP, on this machine only: whose memory it is, is said by the token of each request.

A token is one of `remembrancer tokens add`. One that is unknown, expired or revoked, or whose person was removed, is
refused at the door; no tool, header or argument can name anybody else.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from pydantic import AnyHttpUrl

from foundation.database import reading
from foundation.errors import NotAllowedError
from memory.scope import Scope
from nodes.services import Services
from remembrancer.eraser import open_eraser
from remembrancer.inbox.tokens import identify
from remembrancer.mcp_server import Tools, build_server
from remembrancer.settings import Settings

HOST = "127.0.0.1"
PATH = "/mcp"


class Tokens:
    """Knows whose a token is; asked anew at every request."""

    def __init__(self, services: Services) -> None:
        """Look tokens up in this database, for its tenant only."""
        self._services = services

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who sends the request; None for a token that isn't in force."""
        name = await asyncio.to_thread(self._owner, token)
        return AccessToken(token=token, client_id=name, subject=name, scopes=[]) if name else None

    def _owner(self, token: str) -> str:
        with reading(self._services.engine) as connection:
            person = identify(connection, token, tenant=self._services.tenant, now=self._services.clock())
        return person.name if person else ""


def sender(tenant: str) -> Scope:
    """The pool of whoever sends the present request.

    Raises:
        NotAllowedError: the request carries no token in force.
    """
    token = get_access_token()
    if token is None or not token.subject:
        raise NotAllowedError("whose memory this is, is not known: send a token of `remembrancer tokens add`")
    return Scope.user(tenant, token.subject)


@contextmanager
def open_http_server(settings: Settings, port: int) -> Iterator[uvicorn.Server]:
    """A web server on the loopback address; `run()` serves until it is stopped."""
    with open_eraser(settings) as eraser:
        services = eraser.services
        # Nobody issues tokens by OAuth here; the address is only what the standard wants to be named.
        door = AuthSettings(issuer_url=AnyHttpUrl(f"http://{HOST}:{port}"), resource_server_url=None)
        tools = Tools(eraser, lambda: sender(services.tenant))
        server: MCPServer[Any] = build_server(tools, auth=door, token_verifier=Tokens(services))
        # Without sessions every request stands on its own token.
        web = server.streamable_http_app(streamable_http_path=PATH, stateless_http=True, json_response=True, host=HOST)
        yield uvicorn.Server(uvicorn.Config(web, host=HOST, port=port, log_level="warning"))
        services.memory().flush()
