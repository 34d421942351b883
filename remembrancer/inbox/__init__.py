"""The reviewer's page: FastAPI and server-rendered HTML over the office. `create_app` makes it."""

from remembrancer.inbox.app import create_app

__all__ = ["create_app"]
