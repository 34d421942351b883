"""A small OpenID Connect provider on this machine: discovery, keys, code with PKCE, a signed id token."""

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "the-page", "the page's secret"


class Provider:
    """Signs in whoever `claims` says, without asking."""

    def __init__(self) -> None:
        self.claims: dict[str, object] = {"sub": "1", "preferred_username": "chen"}
        self.issuer = ""
        self.audience = CLIENT
        self._key = RSAKey.generate_key(2048, {"kid": "k1", "alg": "RS256", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}

    def app(self) -> Starlette:
        """Its four addresses."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/keys", self._keys),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _discovery(self, request: Request) -> Response:
        endpoints = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return JSONResponse(
            {"issuer": self.issuer, "id_token_signing_alg_values_supported": ["RS256"]}
            | {name: f"{self.issuer}/{path}" for name, path in endpoints.items()}
        )

    async def _keys(self, request: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def _token(self, request: Request) -> Response:
        form = await request.form()
        asked = self._codes.pop(str(form["code"]), None)
        verifier = hashlib.sha256(str(form.get("code_verifier", "")).encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if asked is None or asked.get("code_challenge") != challenge:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        facts = {"iss": self.issuer, "aud": self.audience, "iat": now, "exp": now + 300, "nonce": asked.get("nonce")}
        token = jwt.encode({"alg": "RS256", "kid": "k1"}, facts | self.claims, self._key)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": token})


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider that runs."""
    found = Provider()
    server = uvicorn.Server(uvicorn.Config(found.app(), host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    found.issuer = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.should_exit = True
        thread.join()
