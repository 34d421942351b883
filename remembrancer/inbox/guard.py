"""What stands before every page: security headers, a limit on bodies, and no change from another site or a stranger.

Plain ASGI: a streamed answer (server-sent events, a large report) passes piece by piece.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SMALL_BODY = 256 * 2**10
"""Bytes that a form may have; files are sent to the upload only."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No inline script or style, nothing from another host, in no frame."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooLargeError(Exception):
    """A body went over its limit while it was read."""


class Guard:
    """Wraps the application; the session must be known already (`SessionMiddleware` outside)."""

    def __init__(self, app: ASGIApp, *, upload_path: str, upload_bytes: int, open_paths: frozenset[str]) -> None:
        """`open_paths` may be posted to by somebody who isn't signed in."""
        self.app = app
        self._upload_path = upload_path
        self._upload_bytes = upload_bytes
        self._open_paths = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse before a body is read."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal:
            await refusal(scope, receive, send)
            return
        limit = self._limit(scope)
        try:
            await self.app(scope, _limited(receive, limit), send)
        except TooLargeError:
            await _told(scope, f"at most {limit // 2**10} kB", 413)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["method"] in SAFE_METHODS:
            return None
        if _foreign(headers):
            return _told(scope, "sent from another site: refused", 403)
        known = scope.get("session", {}).get("who") or headers.get("authorization")
        if not known and _path(scope) not in self._open_paths:
            return _told(scope, "sign in first", 401)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit(scope):
            return _told(scope, f"at most {self._limit(scope) // 2**10} kB", 413)
        return None

    def _limit(self, scope: Scope) -> int:
        return self._upload_bytes if _path(scope) == self._upload_path else SMALL_BODY


def _path(scope: Scope) -> str:
    return str(scope["path"]).removeprefix(scope.get("root_path", ""))


def _told(scope: Scope, words: str, status: int) -> Response:
    """The refusal as whoever asked reads it: a script as the interface describes it, a browser as text."""
    headers = {"www-authenticate": "Bearer"} if status == 401 else {}
    if _path(scope).startswith("/api/"):
        return JSONResponse({"error": words}, status, headers=headers)
    return PlainTextResponse(words, status, headers=headers)


def _foreign(headers: Headers) -> bool:
    """Whether a browser says that another site sent this; programs that are no browsers say nothing."""
    site = headers.get("sec-fetch-site")
    if site:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return bool(origin) and urlsplit(origin or "").netloc != headers.get("host", "")


def _limited(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise TooLargeError
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
