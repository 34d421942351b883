"""`remembrancer inbox`: the reviewer's page."""

import secrets
from ipaddress import ip_address
from typing import Annotated

import typer

from foundation.database import reading
from foundation.errors import UsageError
from oversight.people import has_people
from remembrancer.cli.shared import terminal_of
from remembrancer.settings import Settings
from remembrancer.wiring import open_services

_OPEN = ("审批页面：{link}", "The reviewers' page: {link}")
_ONCE = (
    "还没有用户。这个链接只能用一次：{link}",
    "There are no users yet. This link works once: {link}",
)
_LOCAL = "localhost"


def inbox(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8321,
) -> None:
    """Serve the reviewers' page: the queue, the evidence, the decisions, the reports."""
    # The other commands start faster when no server is loaded.
    import uvicorn

    from remembrancer.inbox.app import create_app

    terminal = terminal_of(context)
    alone = _is_alone(terminal.settings)
    if alone and not _is_loopback(host):
        raise UsageError(
            f"there are no users, so {host} would be open to all: remembrancer users add NAME --role admin"
        )
    key = secrets.token_urlsafe(24) if alone else ""
    shown = terminal.settings.inbox_url.rstrip("/") or f"http://{host}:{port}"
    link = f"{shown}/start/{key}" if key else shown
    terminal.console.print(terminal.say.of(_ONCE if key else _OPEN, link=link), soft_wrap=True)
    app = create_app(terminal.settings, one_time=key)
    # Live streams would hold a stop up for ever.
    uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2, server_header=False)


def _is_alone(settings: Settings) -> bool:
    services = open_services(settings)
    if settings.oidc_issuer:
        return False
    with reading(services.engine) as connection:
        return not has_people(connection, services.tenant)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == _LOCAL
