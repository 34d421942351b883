"""Signing in and out: a local user's password, the one-time link of somebody alone on his machine, looks."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from foundation.database import reading
from oversight.people import has_people
from remembrancer.inbox.frame import (
    NO_FORGERY,
    THEMES,
    Frame,
    at,
    back_to,
    frame_of,
    remember_choice,
    render,
    signed_in,
)
from remembrancer.inbox.passwords import mark_of, password_fits
from remembrancer.inbox.visitors import visitor_of
from remembrancer.inbox.words import LANGS, words_for

SIGN_IN, LOOKS = "/sign-in", "/looks"
OPEN_PATHS = frozenset({SIGN_IN, LOOKS})
router = APIRouter(include_in_schema=False)


@router.get(SIGN_IN)
def sign_in_page(request: Request, next: str = "/") -> Response:  # noqa: A002 - the word of the link
    """The sign-in page, or straight on for somebody who is signed in."""
    frame = frame_of(request)
    with reading(frame.office.services.engine) as connection:
        if signed_in(request, connection):
            return RedirectResponse(at(request, back_to(next)), 303)
    return _page(request, frame, next)


@router.post(SIGN_IN, dependencies=NO_FORGERY)
def sign_in(
    request: Request,
    name: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=400)] = "",
    next: Annotated[str, Form(max_length=2000)] = "/",  # noqa: A002
) -> Response:
    """Sign in by name and password; too many failures for a name or an address wait."""
    frame = frame_of(request)
    keys = (f"name:{name.casefold()}", f"address:{request.client.host if request.client else ''}")
    if wait := frame.attempts.wait(*keys):
        return _page(request, frame, next, "signin.too_often", 429, {"retry-after": str(int(wait) + 1)})
    with reading(frame.office.services.engine) as connection:
        fits = password_fits(connection, frame.tenant, name, password) and _exists(frame, name)
        mark = mark_of(connection, frame.tenant, name) if fits else ""
    if not fits:
        frame.attempts.failed(*keys)
        _log(frame, name, "sign-in refused")
        return _page(request, frame, next, "signin.wrong", 401)
    begin_session(request, frame, name, mark=mark)
    return RedirectResponse(at(request, back_to(next)), 303)


@router.get("/start/{key}")
def start(request: Request, key: str) -> Response:
    """The one-time link that was printed at the start, while there are no users."""
    frame = frame_of(request)
    with reading(frame.office.services.engine) as connection:
        alone = not has_people(connection, frame.tenant)
    known = [kept for kept in frame.one_time if secrets.compare_digest(kept.encode(), key.encode())]
    if not alone or not known:
        return _page(request, frame, "/", "signin.link_used", 403)
    frame.one_time.remove(known[0])
    begin_session(request, frame, frame.office.services.account, alone=True)
    return RedirectResponse(at(request, "/"), 303)


@router.post("/sign-out", dependencies=NO_FORGERY)
def sign_out(request: Request) -> Response:
    """End the session."""
    request.session.clear()
    return RedirectResponse(at(request, SIGN_IN), 303)


@router.post(LOOKS, dependencies=NO_FORGERY)
def looks(
    request: Request,
    theme: Annotated[str, Form()] = "",
    lang: Annotated[str, Form()] = "",
    back: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Choose the theme or the language."""
    response = RedirectResponse(at(request, back_to(back)), 303)
    secure = request.url.scheme == "https"
    if theme in THEMES:
        remember_choice(response, "theme", theme, secure=secure)
    if lang in LANGS:
        remember_choice(response, "lang", lang, secure=secure)
    return response


def begin_session(request: Request, frame: Frame, who: str, *, mark: str = "", alone: bool = False) -> None:
    """Start a session of its own for this person; nothing of an earlier one is carried over."""
    request.session.clear()
    facts = {"who": who, "tenant": frame.tenant, "mark": mark, "csrf": secrets.token_urlsafe(24)}
    request.session.update(facts | ({"alone": True} if alone else {}))
    _log(frame, who, "signed in")


def _exists(frame: Frame, name: str) -> bool:
    from foundation.errors import NotFoundError

    with reading(frame.office.services.engine) as connection:
        try:
            visitor_of(connection, frame.tenant, name)
        except NotFoundError:
            return False
    return True


def _log(frame: Frame, who: str, event: str) -> None:
    with frame.office.services.journal.transaction() as transaction:
        transaction.log(frame.tenant, who, event, who, via="inbox")


def _page(
    request: Request,
    frame: Frame,
    onward: str,
    wrong: str = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    with reading(frame.office.services.engine) as connection:
        people = has_people(connection, frame.tenant)
    values = {"next": back_to(onward), "wrong": wrong, "oidc": bool(frame.settings.oidc_issuer), "people": people}
    words = words_for(request, frame.settings)
    return render(request, frame, words, "sign_in.html", None, status, headers, values)
