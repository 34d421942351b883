"""Sign-in and ownership for LangGraph's server: each person finds his own threads, runs, items and assistants only.

What somebody else's is, is not found. What would let a request's body speak for a person - editing a thread's state,
jumping to a node, a schedule that runs without anybody - is refused.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from langgraph_sdk import Auth

from foundation.database import reading
from foundation.errors import NotFoundError, RemembrancerError, UsageError
from memory.rooted_store import label
from oversight.people import has_people
from remembrancer.inbox.tokens import identify
from remembrancer.server.gate import open_gate
from remembrancer.server.identity import PAGE, Doorkeeper, Sender, headers_of
from remembrancer.settings import load_settings
from remembrancer.wiring import open_services

auth = Auth()

_OWNER = "owner"
_MAKER, _SYSTEM = "created_by", "system"
"""What LangGraph's server writes on the graphs' own assistants."""
_BY_NOBODY = "schedules are off: a scheduled run would act without a person; start runs by your own timer"
_STATUS: tuple[tuple[type[RemembrancerError], int], ...] = ((NotFoundError, 404), (UsageError, 422))
_CONFLICT = 409

T = TypeVar("T")


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> Auth.types.MinimalUserDict:
    """Who sends the request: by token, or the machine's own user where there are neither tokens nor people.

    The reviewers' page signs people in by itself: what is sent there comes from nobody, as far as the server knows.
    """
    if scope["path"].startswith(f"{PAGE}/"):
        return {"identity": "", "is_authenticated": False}
    sender = await asyncio.to_thread(_sender, scope)
    if sender is None:
        raise Auth.exceptions.HTTPException(401, "sign in with a token: Authorization: Bearer TOKEN")
    return {"identity": sender.name, "alone": sender.alone}  # type: ignore[typeddict-unknown-key]


def _sender(scope: dict[str, Any]) -> Sender | None:
    settings = load_settings()
    services = open_services(settings)
    with reading(services.engine) as connection:

        def look_up(token: str) -> str:
            person = identify(connection, token, tenant=services.tenant, now=services.clock())
            return person.name if person else ""

        closed = has_people(connection, services.tenant)
        keeper = Doorkeeper(settings.tokens, services.account, look_up, closed)
        return keeper.admit(headers_of(scope["headers"]), (scope.get("client") or ("", 0))[0])


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Whatever isn't allowed below is refused."""
    return False


@auth.on.threads.create
async def create_thread(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """A thread is its creator's; the id of another person's is not found, even when the server lost its row."""
    await _own(value.get("thread_id"), ctx)
    return _owned(ctx, value)


@auth.on.threads.read
async def find_thread(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """One's own thread and its runs only."""
    return _owner(ctx)


@auth.on.threads.search
async def find_threads(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """One's own threads only."""
    return _owner(ctx)


@auth.on.threads.update
async def update_thread(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """Metadata may change, the owner may not, and the state never: it holds decisions and who made them."""
    if "metadata" not in value:
        raise Auth.exceptions.HTTPException(403, "a thread's state is not edited from outside: answer its question")
    return _owned(ctx, value) if not value.get("action") else _owner(ctx)


@auth.on.threads.delete
async def delete_thread(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """A thread with an open question stays."""
    await _own(value["thread_id"], ctx)
    if not value.get("run_id"):
        await _asked(lambda: open_gate().require_at_rest(str(value["thread_id"])))
    return _owner(ctx)


@auth.on.threads.create_run
async def create_run(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """Start or resume one's own thread; an answer names its question, and input never drops one."""
    thread_id, run = value.get("thread_id"), value["kwargs"]
    if thread_id is None or run.get("temporary"):
        raise Auth.exceptions.HTTPException(422, "create a thread first: what pauses must be found again")
    command = run.get("command") or {}
    if set(command) - {"resume"}:
        raise Auth.exceptions.HTTPException(403, "a command may only resume: state and course are not set from outside")
    await _own(thread_id, ctx)
    if command:
        answer = command.get("resume")
        command["resume"] = await _asked(lambda: open_gate().addressed(str(thread_id), answer))
    elif run.get("input") is not None:
        await _asked(lambda: open_gate().require_at_rest(str(thread_id)))
    run["durability"] = "sync"
    return _owned(ctx, value)


@auth.on.assistants.create
async def create_assistant(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """An assistant is its creator's, and never passes for one of the system's."""
    return _owned(ctx, value)


@auth.on.assistants.update
async def update_assistant(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """One's own only, and it stays one's own."""
    return _owned(ctx, value)


@auth.on.assistants.read
async def find_assistant(ctx: Auth.types.AuthContext, value: Any) -> dict[str, Any]:
    """A graph itself, or one's own configuration of one."""
    return _owner_or_system(ctx)


@auth.on.assistants.search
async def find_assistants(ctx: Auth.types.AuthContext, value: Any) -> dict[str, Any]:
    """The graphs themselves, and one's own configurations of them."""
    return _owner_or_system(ctx)


@auth.on.assistants.delete
async def delete_assistant(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """One's own only."""
    return _owner(ctx)


@auth.on.crons
async def refuse_schedules(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """A scheduled run has no person behind it: its answers would count as the server's own."""
    raise Auth.exceptions.HTTPException(403, _BY_NOBODY)


@auth.on.store
async def own_items(ctx: Auth.types.AuthContext, value: Any) -> None:
    """One's own namespace only: its first part is one's name, and a search without one begins there."""
    mine = label(ctx.user.identity)
    namespace = tuple(value.get("namespace") or ())
    if not namespace and ctx.action in {"search", "list_namespaces"}:
        value["namespace"] = (mine,)
    elif not namespace or namespace[0] != mine:
        raise Auth.exceptions.HTTPException(404, f"there is nothing: your namespaces begin with {mine!r}")


async def _own(thread_id: object, ctx: Auth.types.AuthContext) -> None:
    """Refuse another person's thread."""
    if thread_id is not None:
        await _asked(lambda: open_gate().require_own(str(thread_id), ctx.user.identity))


def _owner(ctx: Auth.types.AuthContext) -> dict[str, str]:
    return {_OWNER: ctx.user.identity}


def _owner_or_system(ctx: Auth.types.AuthContext) -> dict[str, Any]:
    return {"$or": [_owner(ctx), {_MAKER: _SYSTEM}]}


def _owned(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    """Put the owner's name on what is made or changed, and let nobody else's be touched."""
    if value.get("metadata") is None:
        value["metadata"] = {}
    value["metadata"].pop(_MAKER, None)
    value["metadata"].update(_owner(ctx))
    return _owner(ctx)


async def _asked(question: Callable[[], T]) -> T:
    """The answer of a question that blocks, its refusal as an HTTP status."""
    try:
        return await asyncio.to_thread(question)
    except RemembrancerError as error:
        status = next((code for kind, code in _STATUS if isinstance(error, kind)), _CONFLICT)
        raise Auth.exceptions.HTTPException(status, str(error)) from None
