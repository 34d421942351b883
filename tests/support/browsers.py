"""A real browser on the real page: the server in a thread, Chromium, and a watch on what must never happen."""

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from remembrancer.inbox.app import create_app
from remembrancer.settings import Settings
from tests.support.pages import PASSWORD

_STARTS_WITHIN = 60.0


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """The page on a free port of this machine; its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            create_app(settings), log_level="error", timeout_graceful_shutdown=1, timeout_keep_alive=600
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        waited = threading.Event()
        for _ in range(int(_STARTS_WITHIN * 20)):
            if server.started or not thread.is_alive():
                break
            waited.wait(0.05)
        assert server.started, "the page did not start"
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(_STARTS_WITHIN)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium as the system has it; without one, the test is skipped and says how to get it."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium: apt-get install chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """One browser window, and what went wrong in it."""

    page: Page
    home: str
    faults: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open a page of ours."""
        self.page.goto(f"{self.home}{path}")

    def sign_in(self, name: str) -> None:
        """Sign in by the form."""
        self.go("/sign-in")
        self.page.fill("#name", name)
        self.page.fill("#password", PASSWORD)
        self.page.click("form button.primary")
        self.page.wait_for_url(lambda url: "/sign-in" not in url)


@contextmanager
def window(browser: Browser, home: str, *, expected: tuple[int, ...] = (), **options: object) -> Iterator[Watched]:
    """A window of its own; at its end nothing was asked of another host and nothing was said on the console.

    `expected` are the refusals that the test provokes.
    """
    context = browser.new_context(**{"locale": "en-US", "color_scheme": "light", **options})  # type: ignore[arg-type]
    context.set_default_timeout(20_000)
    watched = Watched(context.new_page(), home)
    host = urlsplit(home).netloc

    def asked(url: str) -> None:
        if urlsplit(url).netloc not in {host, ""}:
            watched.faults.append(f"asked another host: {url}")

    def said(kind: str, text: str) -> None:
        if kind in {"error", "warning"} and not any(f"status of {status}" in text for status in expected):
            watched.faults.append(f"console {kind}: {text}")

    watched.page.on("request", lambda request: asked(request.url))
    watched.page.on("console", lambda message: said(message.type, message.text))
    watched.page.on("pageerror", lambda error: watched.faults.append(f"script: {error}"))
    try:
        yield watched
        assert watched.faults == []
    finally:
        context.close()
