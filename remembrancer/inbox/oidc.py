"""Signing in at the company's OpenID Connect provider, where the settings name one."""

import asyncio
from typing import Any

from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.starlette_client import OAuth
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from httpx import HTTPError
from joserfc.errors import JoseError

from foundation.database import reading
from foundation.errors import NotAllowedError, NotFoundError, UnavailableError
from oversight.people import Person, Role, add_person, known_person
from remembrancer.inbox.frame import Frame, at, back_to, frame_of
from remembrancer.inbox.passwords import mark_of
from remembrancer.inbox.signin import begin_session
from remembrancer.settings import Settings

router = APIRouter(include_in_schema=False)
_TIMEOUT = 10.0
_TROUBLE = (HTTPError, OSError)


def provider(settings: Settings) -> Any:
    """The provider's client: its addresses come from its own discovery document."""
    oauth = OAuth()
    return oauth.register(
        "company",
        server_metadata_url=f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256", "timeout": _TIMEOUT},
    )


@router.get("/oidc/start")
async def start(request: Request, next: str = "/") -> Response:  # noqa: A002 - the word of the link
    """Go to the provider."""
    frame = frame_of(request)
    _require_oidc(frame)
    request.session["next"] = back_to(next)
    try:
        answer: Response = await request.app.state.oidc.authorize_redirect(request, _return_address(request, frame))
    except _TROUBLE:
        raise UnavailableError("the sign-in provider doesn't answer: try again, or sign in by password") from None
    return answer


@router.get("/oidc/return")
async def come_back(request: Request) -> Response:
    """Come back from the provider: state, nonce and signature are checked before a name is believed."""
    frame = frame_of(request)
    _require_oidc(frame)
    onward = back_to(request.session.get("next"))
    try:
        token = await request.app.state.oidc.authorize_access_token(request)
    except (OAuthError, JoseError, ValueError):
        raise NotAllowedError("the sign-in was refused or is too old: sign in again") from None
    except _TROUBLE:
        raise UnavailableError("the sign-in provider doesn't answer: try again, or sign in by password") from None
    name, mark = await asyncio.to_thread(_admit, frame, dict(token.get("userinfo") or {}))
    await asyncio.to_thread(begin_session, request, frame, name, mark=mark)
    return RedirectResponse(at(request, onward), 303)


def _require_oidc(frame: Frame) -> None:
    if not frame.settings.oidc_issuer:
        raise NotFoundError("there is no sign-in provider: set REMEMBRANCER_OIDC_ISSUER")


def _return_address(request: Request, frame: Frame) -> str:
    base = frame.settings.inbox_url.rstrip("/") or str(request.base_url).rstrip("/")
    return f"{base}/oidc/return"


def _admit(frame: Frame, claims: dict[str, Any]) -> tuple[str, str]:
    """The name to go by: of somebody who was added here, or who brings a role along.

    Raises:
        NotAllowedError: he was removed, or has no role here.
    """
    name = str(claims.get(frame.settings.oidc_name_claim) or "")
    services = frame.office.services
    with reading(services.engine) as connection:
        person = known_person(connection, frame.tenant, name) if name else None
        mark = mark_of(connection, frame.tenant, name)
    if person is None and name:
        person = _newcomer(frame, name, claims)
    if person is None or not person.active:
        raise NotAllowedError(f"{name or 'nobody'} has no role here: an administrator adds you first")
    return person.name, mark


def _newcomer(frame: Frame, name: str, claims: dict[str, Any]) -> Person | None:
    given = claims.get(frame.settings.oidc_role_claim) if frame.settings.oidc_role_claim else None
    listed = [given] if isinstance(given, str) else list(given or [])
    roles = frozenset(Role(each) for each in listed if each in set(Role))
    if not roles:
        return None
    with frame.office.services.journal.transaction() as transaction:
        person = Person(tenant=frame.tenant, name=name, roles=roles, added_at=transaction.at)
        add_person(transaction.connection, person)
        transaction.log(frame.tenant, name, "person added", name, roles=sorted(roles), via="oidc")
    return person
