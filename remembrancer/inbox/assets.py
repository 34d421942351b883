"""The files that a page loads: our style sheet and script, and htmx from the wheel that carries it.

Read once at start, compressed once, and named by their content, so that a browser may keep them for ever.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import Response

from foundation.errors import NotFoundError

_OURS = ("inbox.css", "inbox.js", "mark.svg")
_HTMX = {"htmx.js": "htmx-2.min.js", "sse.js": "ext/hx-sse-2.min.js"}
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    content: bytes
    packed: bytes
    kind: str
    digest: str


def load_assets() -> Mapping[str, Asset]:
    """Name -> file, all of them."""
    ours = files("remembrancer.inbox") / "static"
    # The wheel is used for its files only; Django itself is never imported.
    htmx = files("django_htmx") / "static" / "django_htmx"
    contents = {name: (ours / name).read_bytes() for name in _OURS}
    contents |= {name: htmx.joinpath(*path.split("/")).read_bytes() for name, path in _HTMX.items()}
    return {name: _asset(name, content) for name, content in contents.items()}


def _asset(name: str, content: bytes) -> Asset:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    digest = hashlib.sha256(content).hexdigest()[:12]
    return Asset(content, gzip.compress(content, 9, mtime=0), kind, digest)


router = APIRouter()


@router.get("/static/{name}", include_in_schema=False)
def static(request: Request, name: str) -> Response:
    """One file of the page."""
    assets: Mapping[str, Asset] = request.app.state.frame.assets
    asset = assets.get(name)
    if asset is None:
        raise NotFoundError(f"there is no file {name}")
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": _FOR_EVER, "vary": "accept-encoding", "etag": f'"{asset.digest}"'}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(asset.packed if packed else asset.content, media_type=asset.kind, headers=headers)
