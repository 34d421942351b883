"""The reviewer's page: FastAPI and server-rendered HTML over the office. `create_app` makes it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from remembrancer.settings import Settings


def create_app(settings: "Settings | None" = None) -> "FastAPI":
    """The page as an application of its own; see `remembrancer.inbox.app.create_app` for all that can be said.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
    """
    # Passwords and tokens are used by commands that start no server.
    from remembrancer.inbox.app import create_app as make

    return make(settings)
