"""A real LangGraph development server on a house's data: started as a user starts it, and killed as nobody does."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.house import House

_ROOT = Path(__file__).parents[2]
_PATIENCE = 300.0
_OURS = ("REMEMBRANCER_", "LANG", "LC_")


class Server:
    """`langgraph dev` in a folder of the house, reached over loopback."""

    def __init__(self, house: House, tokens: dict[str, str]) -> None:
        """`tokens`: name -> token."""
        self._house = house
        self._tokens = tokens
        self._folder = house.root / "server"
        self._process: subprocess.Popen[bytes] | None = None
        self._clients = ExitStack()
        self.url = ""

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._folder.mkdir(exist_ok=True)
        (self._folder / "langgraph.json").write_bytes((_ROOT / "langgraph.json").read_bytes())
        link = self._folder / "remembrancer"
        link.exists() or link.symlink_to(_ROOT / "remembrancer")
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = ["-c", "from langgraph_cli.cli import cli; cli()", "dev", "--no-browser", "--no-reload"]
        with (self._folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *command, "--port", str(port)],
                cwd=self._folder,
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait()

    def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        self._clients.close()
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def client(self, name: str, **headers: str) -> SyncLangGraphClient:
        """A client that is signed in with this person's token; "" for nobody's."""
        signed_in = {"authorization": f"Bearer {self._tokens[name]}"} if name else {}
        client = get_sync_client(url=self.url, api_key=None, headers={**signed_in, **headers})
        return self._clients.enter_context(client)

    def log(self) -> str:
        """What it has printed so far."""
        return (self._folder / "log.txt").read_text("utf-8")

    def _environment(self) -> dict[str, str]:
        outside = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        ours = {
            "PYTHONPATH": str(_ROOT),
            "REMEMBRANCER_API_TOKENS": ",".join(f"{name}:{token}" for name, token in self._tokens.items()),
            "REMEMBRANCER_EMBEDDER": "none",
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        }
        return outside | self._house.environment | ours

    def _wait(self) -> None:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            assert self._process is not None
            assert self._process.poll() is None, self.log()[-4000:]
            try:
                if httpx.get(f"{self.url}/ok", trust_env=False).status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(f"the server doesn't answer: {self.log()[-4000:]}")


@contextmanager
def running(house: House, tokens: dict[str, str]) -> Iterator[Server]:
    """A server that is gone afterwards."""
    server = Server(house, tokens)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def questions(client: SyncLangGraphClient, thread_id: str) -> list[dict[str, Any]]:
    """What the thread asks: id and value of each open question."""
    return [dict(one) for one in client.threads.get_state(thread_id)["interrupts"]]


def shown(value: object) -> str:
    """For messages: JSON of what came back."""
    return json.dumps(value, ensure_ascii=False, default=str)[:2000]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
