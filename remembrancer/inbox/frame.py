"""What all pages stand on: the office, who visits, in which language, and how a page is made."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import NotAllowedError, NotFoundError, RemembrancerError
from foundation.visible import visible
from oversight.desk import ReviewDesk
from oversight.enquiries import asked_of, enquiries_on, waits_for_answer
from oversight.people import Role, has_people
from oversight.question import in_language
from remembrancer.inbox import tellings
from remembrancer.inbox.assets import Asset
from remembrancer.inbox.limits import Attempts
from remembrancer.inbox.live import Pulse
from remembrancer.inbox.passwords import mark_of
from remembrancer.inbox.reasons import LIMITS, place_in_words, plainly, source_in_words, value_in_words
from remembrancer.inbox.runs import Runs
from remembrancer.inbox.scheduled import Schedule, Scheduled
from remembrancer.inbox.visitors import ALONE, Visitor, visitor_of
from remembrancer.inbox.waiting import Eye, Wanted, total
from remembrancer.inbox.words import Words, words_for
from remembrancer.office import Office
from remembrancer.settings import Settings

PAGES = (
    ("/", "nav.queue", Role.REVIEWER),
    ("/batches", "nav.batches", Role.SUBMITTER),
    ("/questions", "nav.questions", Role.SUBMITTER),
    ("/feed", "nav.feed", Role.REVIEWER),
    ("/ledger", "nav.ledger", Role.REVIEWER),
    ("/log", "nav.log", Role.REVIEWER),
    ("/rules", "nav.rules", Role.REVIEWER),
    ("/memory", "nav.memory", Role.SUBMITTER),
    ("/people", "nav.people", Role.ADMIN),
    ("/api", "nav.api", Role.REVIEWER),
)
"""Path, name and least role of what the navigation shows."""
THEMES = ("auto", "light", "dark")
_A_YEAR = 365 * 24 * 3600


class SignInNeededError(RemembrancerError):
    """Nobody is signed in."""


class ForgeryError(RemembrancerError):
    """A change came without the token of the page it should have come from."""


@dataclass(kw_only=True)
class Frame:
    """One running page: what its routers share."""

    settings: Settings
    office: Office
    book: Environment
    assets: Mapping[str, Asset]
    attempts: Attempts
    schedule: Schedule
    pulse: Pulse
    runs: Runs
    one_time: list[str] = field(default_factory=list)
    """Unused one-time keys: only for somebody alone on his machine, while there are no users."""

    @property
    def tenant(self) -> str:
        """Whose data this page shows."""
        return self.office.services.tenant


def frame_of(request: Request) -> Frame:
    """The frame of the running application."""
    frame = request.app.state.frame
    if not isinstance(frame, Frame):
        raise TypeError("the application has not been started")
    return frame


def _shown(value: object) -> object:
    """What a page shows: a text from outside can't turn the words beside it round."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def make_book() -> Environment:
    """The templates: escaped, strict about missing values; one book a process, so that each is compiled once."""
    book = Environment(
        loader=PackageLoader("remembrancer.inbox", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        auto_reload=False,
    )
    book.globals |= {"in_language": in_language, "linked": _linked, "limits": LIMITS}
    book.filters |= {
        "money": money,
        "moment": _moment,
        "clock": _clock,
        "day": _day,
        "ago": _ago,
        "told": tellings.told,
        "actor": tellings.actor,
        "fact": tellings.fact,
        "plainly": plainly,
        "placed": _placed,
        "source": _source,
        "valued": _valued,
    }
    return book


def compile_all(book: Environment) -> None:
    """Compile every template now: some 300 ms that the first visitor would wait for."""
    for name in book.list_templates():
        book.get_template(name)


@dataclass(frozen=True)
class Visit:
    """One request of one signed-in person."""

    request: Request
    frame: Frame
    visitor: Visitor
    words: Words

    @property
    def office(self) -> Office:
        """The office."""
        return self.frame.office

    @property
    def tenant(self) -> str:
        """The visitor's tenant."""
        return self.frame.tenant

    @property
    def name(self) -> str:
        """Who acts."""
        return self.visitor.name

    @property
    def desk(self) -> ReviewDesk:
        """The reviewers' desk."""
        services = self.office.services
        return ReviewDesk(services.engine, services.journal, services.clock, services.zone)

    @property
    def base(self) -> str:
        """The address under which people reach the page."""
        return self.frame.settings.inbox_url.rstrip("/") or str(self.request.base_url).rstrip("/")

    @property
    def alone(self) -> bool:
        """Whether he is alone on his machine: there are no people yet."""
        return bool(self.request.session.get("alone"))

    @property
    def eye(self) -> Eye:
        """Who looks, and when."""
        return Eye(self.tenant, self.name, self.office.services.clock())

    def require(self, role: Role) -> None:
        """Make sure that the visitor has at least this role.

        Raises:
            NotAllowedError: he hasn't.
        """
        if not self.visitor.may(role):
            raise NotAllowedError(self.words("error.role", role=self.words(f"role.{role}")))

    def page(
        self, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """The page, or a part of one."""
        given = {
            "told": self._told,
            "queue_length": self._queue_length,
            "questions_open": self._questions_open,
            **values,
        }
        return render(self.request, self.frame, self.words, template, self.visitor, status, headers, given)

    def _told(self) -> list[Scheduled]:
        with reading(self.office.services.engine) as connection:
            return self.frame.schedule.told(connection, self.name)

    def _queue_length(self) -> int:
        """How many reviews wait, for whoever decides about them."""
        if not self.visitor.reviews:
            return 0
        with reading(self.office.services.engine) as connection:
            return total(connection, self.eye, Wanted())

    def _questions_open(self) -> int:
        """How many questions the visitor has not answered yet."""
        with reading(self.office.services.engine) as connection:
            asked = [review.review_id for review in asked_of(connection, self.tenant, self.name)]
            return waits_for_answer(enquiries_on(connection, self.tenant, asked))

    def go(self, path: str) -> Response:
        """Go to another page of ours: by a redirect, or as htmx wants it."""
        target = at(self.request, path)
        if self.request.headers.get("hx-request"):
            return Response(status_code=204, headers={"hx-redirect": target})
        return RedirectResponse(target, 303)


def render(
    request: Request,
    frame: Frame,
    words: Words,
    template: str,
    visitor: Visitor | None,
    status: int,
    headers: Mapping[str, str] | None,
    values: Mapping[str, Any],
) -> HTMLResponse:
    """A template as an answer, with what every page shows."""
    services = frame.office.services
    shown = {
        "say": words,
        "lang": words.lang,
        "theme": _theme(request),
        "visitor": visitor,
        "csrf": token_of(request),
        "url": lambda path: at(request, path),
        "static": lambda name: f"{at(request, '/static/')}{name}?v={frame.assets[name].digest}",
        "here": request.scope["path"].removeprefix(request.scope.get("root_path", "")),
        "zone": services.zone,
        "now": services.clock(),
        "partial": bool(request.headers.get("hx-request")) and not request.headers.get("hx-boosted"),
        "pages": PAGES,
        "told": list,
        "queue_length": int,
        "questions_open": int,
        "undo_seconds": frame.settings.inbox_undo_seconds,
        **values,
    }
    text = frame.book.get_template(template).render(shown)
    return HTMLResponse(text, status, {"vary": "Cookie, Accept-Language, HX-Request", **(headers or {})})


def at(request: Request, path: str) -> str:
    """The path as a browser must ask for it, wherever the application is mounted."""
    return f"{request.scope.get('root_path', '')}{path}"


def token_of(request: Request) -> str:
    """This session's token against forged requests."""
    session = request.session
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def _theme(request: Request) -> str:
    theme = request.cookies.get("theme", "auto")
    return theme if theme in THEMES else "auto"


def remember_choice(response: Response, name: str, value: str, *, secure: bool) -> None:
    """Keep a choice of looks in the browser."""
    response.set_cookie(name, value, max_age=_A_YEAR, samesite="lax", httponly=True, secure=secure)


def signed_in(request: Request, connection: Connection) -> Visitor | None:
    """Who is signed in, None for nobody - also when he was removed or his password changed meanwhile."""
    frame, session = frame_of(request), request.session
    who = session.get("who")
    if not isinstance(who, str) or session.get("tenant") != frame.tenant:
        return None
    if session.get("alone"):
        return None if has_people(connection, frame.tenant) else Visitor(who, ALONE)
    if session.get("mark", "") != mark_of(connection, frame.tenant, who):
        return None
    try:
        return visitor_of(connection, frame.tenant, who)
    except NotFoundError:
        return None


def visit(request: Request) -> Visit:
    """The visit of whoever is signed in; decisions that are due take effect first.

    Raises:
        SignInNeededError: nobody is.
    """
    frame = frame_of(request)
    frame.schedule.run_due(frame.office)
    with reading(frame.office.services.engine) as connection:
        visitor = signed_in(request, connection)
    if visitor is None:
        raise SignInNeededError("sign in first")
    return Visit(request, frame, visitor, words_for(request, frame.settings))


async def no_forgery(request: Request) -> None:
    """Make sure that a change comes from a page of this session.

    Raises:
        ForgeryError: it doesn't.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    given = request.headers.get("x-csrf-token") or (await request.form()).get("csrf")
    kept = request.session.get("csrf", "")
    if not kept or not isinstance(given, str) or not secrets.compare_digest(given.encode(), kept.encode()):
        raise ForgeryError("the page was too old: load it again")


def visitor_with(role: Role) -> Callable[[Request], Visit]:
    """A visit of somebody who has at least this role."""

    def guarded(request: Request) -> Visit:
        found = visit(request)
        found.require(role)
        return found

    return guarded


Visiting = Annotated[Visit, Depends(visit)]
Reviewing = Annotated[Visit, Depends(visitor_with(Role.REVIEWER))]
Managing = Annotated[Visit, Depends(visitor_with(Role.MANAGER))]
Administering = Annotated[Visit, Depends(visitor_with(Role.ADMIN))]
NO_FORGERY = [Depends(no_forgery)]


def back_to(path: str | None) -> str:
    """Where to go after signing in: a path of ours, never another site's."""
    sound = path and path.startswith("/") and not path.startswith(("//", "/\\")) and "\n" not in path
    return path if path and sound else "/"


def query(values: Mapping[str, Any]) -> str:
    """The query of a link, without what is empty."""
    pairs = [(name, one) for name, value in values.items() for one in (value if _several(value) else [value])]
    return "&".join(f"{quote(name)}={quote(str(one))}" for name, one in pairs if one not in ("", None))


def _linked(link: Mapping[str, Any]) -> Callable[[int], dict[str, Any]]:
    """Page number -> the query of that page of the same view."""
    return lambda page: {**link, "page": page}


def _several(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def money(amount: Decimal | None, currency: str = "") -> str:
    """An amount with its thousands grouped and its cents."""
    return "–" if amount is None else f"{amount:,.2f} {currency}".strip()


@pass_context
def _moment(context: Context, at_: datetime | None) -> str:
    return "–" if at_ is None else f"{at_.astimezone(context['zone']):%Y-%m-%d %H:%M}"


@pass_context
def _day(context: Context, at_: datetime) -> str:
    return f"{at_.astimezone(context['zone']):%Y-%m-%d}"


@pass_context
def _clock(context: Context, at_: datetime) -> str:
    return f"{at_.astimezone(context['zone']):%H:%M:%S}"


@pass_context
def _placed(context: Context, where: str, file: str = "") -> str:
    return place_in_words(context["say"], where, file)


@pass_context
def _source(context: Context, source: str) -> str:
    return source_in_words(context["say"], source)


@pass_context
def _valued(context: Context, value: str, rule: str = "") -> str:
    return value_in_words(context["say"], value, rule)


@pass_context
def _ago(context: Context, at_: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    minutes = int((context["now"] - at_).total_seconds() // 60)
    for unit, size in (("days", 1440), ("hours", 60), ("minutes", 1)):
        if minutes >= size:
            return str(context["say"](f"ago.{unit}", count=minutes // size))
    return str(context["say"]("ago.now"))
