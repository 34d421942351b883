"""`remembrancer mcp`: memory for other agents, over stdin and stdout or over HTTP on this machine."""

from typing import Annotated

import typer

from foundation.errors import UsageError
from remembrancer.cli.shared import terminal_of

_SERVES = (
    "MCP 在 {url} 上提供服务，每个请求要带 `remembrancer tokens add` 给出的密钥。Ctrl+C 停止。",
    "Serving MCP at {url}; every request carries a token of `remembrancer tokens add`. Ctrl+C stops it.",
)


def mcp(
    context: typer.Context,
    user: Annotated[str, typer.Option(help="Whose memory (default: this account's); no tool can change it.")] = "",
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine: the token says whose memory.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port for --http.")] = 8766,
) -> None:
    """Serve remember, search, show and forget by the Model Context Protocol, over stdin and stdout, or over HTTP."""
    terminal = terminal_of(context)
    if http:
        if user:
            raise UsageError("--user goes with stdin and stdout: over HTTP each token says whose memory it is")
        # A server takes seconds to import; no other command waits for it.
        from remembrancer.mcp_http import HOST, PATH, open_http_server

        with open_http_server(terminal.settings, port) as web:
            terminal.console.print(terminal.say.of(_SERVES, url=f"http://{HOST}:{port}{PATH}"), soft_wrap=True)
            web.run()
        return
    from remembrancer.mcp_server import open_server

    with open_server(terminal.settings, user) as server:
        server.run("stdio")
