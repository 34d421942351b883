"""`remembrancer mcp`: the memory of one person for other agents, over stdin and stdout."""

from typing import Annotated

import typer

from remembrancer.cli.shared import terminal_of


def mcp(
    context: typer.Context,
    user: Annotated[str, typer.Option(help="Whose memory (default: this account's); no tool can change it.")] = "",
) -> None:
    """Serve remember, search, show and forget by the Model Context Protocol, over stdin and stdout."""
    # A server takes seconds to import; no other command waits for it.
    from remembrancer.mcp_server import open_server

    with open_server(terminal_of(context).settings, user) as server:
        server.run("stdio")
