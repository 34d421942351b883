"""The application: routers, what stands before them, and what runs beside them."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.sessions import SessionMiddleware

from foundation.database import reading
from foundation.errors import (
    AlreadyDecidedError,
    ExpiredError,
    NotAllowedError,
    NotFoundError,
    RefusedError,
    RemembrancerError,
    StorageError,
    UnavailableError,
    UnreadableError,
    UsageError,
)
from remembrancer.inbox import assets, health, oidc, routes, signin, streams
from remembrancer.inbox.assets import load_assets
from remembrancer.inbox.frame import (
    ForgeryError,
    Frame,
    SignInNeededError,
    at,
    compile_all,
    frame_of,
    make_book,
    query,
    render,
    signed_in,
)
from remembrancer.inbox.guard import Guard
from remembrancer.inbox.limits import Attempts
from remembrancer.inbox.live import Pulse
from remembrancer.inbox.pages.queue import ask_once
from remembrancer.inbox.runs import Runs
from remembrancer.inbox.scheduled import Schedule
from remembrancer.inbox.words import words_for
from remembrancer.office import Office, open_office
from remembrancer.settings import Settings, load_settings
from remembrancer.worker import Worker

FAILURES, WINDOW = 5, 300.0
"""So many failed attempts to sign in within so many seconds."""
_SESSION_SECONDS = 12 * 3600
_TICK = 0.5
_TEND = 15.0
_STATUS: tuple[tuple[type[RemembrancerError], int], ...] = (
    (SignInNeededError, 401),
    (ForgeryError, 403),
    (NotFoundError, 404),
    (NotAllowedError, 403),
    (AlreadyDecidedError, 409),
    (ExpiredError, 409),
    (RefusedError, 409),
    (UnreadableError, 422),
    (UsageError, 422),
    (UnavailableError, 503),
    (StorageError, 503),
)


def create_app(
    settings: Settings | None = None,
    *,
    office: Office | None = None,
    one_time: str = "",
    monotonic: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """The page over an office: the one given, or one that is opened at the start and closed at the end.

    Args:
        settings: where the data live; the environment's where none are given.
        office: an office that is open already; whoever passes it closes it.
        one_time: the key of a link by which somebody alone on his machine comes in, once, while there are no people.
        monotonic: seconds that only grow, for the limit on attempts to sign in.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
    """
    chosen = office.settings if office else settings or load_settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with ExitStack() as stack:
            opened = office
            if opened is None:
                opened = await asyncio.to_thread(stack.enter_context, open_office(chosen))
            frame = _frame(chosen, opened, one_time, monotonic)
            app.state.frame = frame
            await asyncio.to_thread(_begin, frame)
            beside = [asyncio.create_task(_tick(frame)), asyncio.create_task(_tend(frame))]
            try:
                yield
            finally:
                for task in beside:
                    task.cancel()
                frame.pulse.close()
                await asyncio.to_thread(_end, frame)

    app = FastAPI(
        title="Remembrancer",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    if chosen.oidc_issuer:
        app.state.oidc = oidc.provider(chosen)
    for router in (assets.router, health.router, signin.router, oidc.router, streams.router, *routes.ROUTERS):
        app.include_router(router)
    app.add_exception_handler(RemembrancerError, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_misuse)
    app.add_exception_handler(HTTPException, _answer_misuse)
    _protect(app, chosen)
    return app


def _protect(app: FastAPI, chosen: Settings) -> None:
    """Signed sessions, and the guard before whatever changes something."""
    app.add_middleware(
        Guard,
        upload_path="/batches",
        upload_bytes=chosen.inbox_upload_mb * 2**20,
        open_paths=signin.OPEN_PATHS,
    )
    app.add_middleware(
        SessionMiddleware,
        secret_key=_secret(chosen),
        session_cookie="remembrancer",
        max_age=_SESSION_SECONDS,
        same_site="lax",
        https_only=chosen.inbox_url.startswith("https:"),
    )


def _frame(settings: Settings, office: Office, one_time: str, monotonic: Callable[[], float]) -> Frame:
    services = office.services
    schedule = Schedule(services.engine, services.tenant, services.clock, seconds=settings.inbox_undo_seconds)
    runs = Runs()
    return Frame(
        settings=settings,
        office=office,
        book=make_book(),
        assets=load_assets(),
        attempts=Attempts(FAILURES, WINDOW, monotonic),
        schedule=schedule,
        pulse=Pulse(lambda: streams.look(office, schedule, runs)),
        runs=runs,
        one_time=[one_time] if one_time else [],
    )


def _begin(frame: Frame) -> None:
    """What an earlier process left: decisions that are due, audits that stopped; and what the first would wait for."""
    compile_all(frame.book)
    ask_once(frame)
    frame.schedule.run_due(frame.office)
    frame.runs.go_on(frame.office)


def _end(frame: Frame) -> None:
    """Nothing that was decided waits for another start."""
    frame.schedule.run_due(frame.office, everything=True)
    frame.runs.close()


async def _tick(frame: Frame) -> None:
    """Take what is due, as soon as it is."""
    while True:
        await asyncio.sleep(_TICK)
        await asyncio.to_thread(frame.schedule.run_due, frame.office)


async def _tend(frame: Frame) -> None:
    """What a worker does, so that a page alone reminds, escalates and notifies, too; any number may do it."""
    worker = Worker(frame.office)
    while True:
        await asyncio.sleep(_TEND)
        await asyncio.to_thread(worker.run_due)


def _secret(settings: Settings) -> str:
    """The key of the cookies: the configured one, or one made at the first start and kept beside the data."""
    if configured := settings.inbox_secret.get_secret_value():
        return configured
    path = Path(settings.home.absolute(), "session.key")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48), "ascii")
    return path.read_text("ascii")


def status_of(error: RemembrancerError) -> int:
    """The HTTP status that says the same."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def _answer_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, RemembrancerError):
        raise error
    if isinstance(error, SignInNeededError) and not _is_api(request):
        return _to_sign_in(request)
    status = status_of(error)
    return _told(request, status, str(error), _challenge(status))


def _answer_misuse(request: Request, error: Exception) -> Response:
    """What FastAPI refuses by itself, in our words: a path that isn't there, a value of another type."""
    if isinstance(error, HTTPException):
        said = "" if error.detail == HTTPStatus(error.status_code).phrase else str(error.detail)
        return _told(request, error.status_code, said, error.headers or {})
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _told(request, 422, f"{where}: {first['msg']}", {})


def _is_api(request: Request) -> bool:
    return request.url.path.removeprefix(request.scope.get("root_path", "")).startswith("/api/")


def _told(request: Request, status: int, detail: str, headers: Mapping[str, str]) -> Response:
    if _is_api(request):
        return JSONResponse({"error": detail or HTTPStatus(status).phrase}, status, headers=dict(headers))
    frame = frame_of(request)
    words = words_for(request, frame.settings)
    values = {"status": status, "detail": detail}
    if request.headers.get("hx-request"):
        # The message takes the place of whatever was asked for; the page stays as it is.
        elsewhere = {**headers, "hx-retarget": "#notices", "hx-reswap": "innerHTML"}
        return render(request, frame, words, "_error.html", None, status, elsewhere, values)
    with reading(frame.office.services.engine) as connection:
        visitor = signed_in(request, connection)
    return render(request, frame, words, "error.html", visitor, status, headers, values)


def _to_sign_in(request: Request) -> Response:
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    asked = f"{path}?{request.url.query}" if request.url.query else path
    target = at(request, f"{signin.SIGN_IN}?{query({'next': asked if request.method == 'GET' else '/'})}")
    if request.headers.get("hx-request"):
        return Response(status_code=401, headers={"hx-redirect": target})
    return RedirectResponse(target, 303)


def _challenge(status: int) -> Mapping[str, str]:
    return {"www-authenticate": "Bearer"} if status == 401 else {}
