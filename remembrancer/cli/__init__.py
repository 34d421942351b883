"""The command line."""

from remembrancer.cli.app import main

__all__ = ["main"]
