"""What is remembered: about oneself for everybody, about others for managers; and what waits in quarantine."""

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response
from sqlalchemy import Connection, select

from foundation.database import reading
from foundation.errors import NotFoundError, UsageError
from memory.model import Receipt, Remembered
from memory.scope import Scope
from memory.tables import memories
from nodes.quarantine_matter import open_held, scope_of
from oversight.action import DecisionKind
from oversight.people import Role, same_person
from remembrancer.eraser import Eraser
from remembrancer.inbox.frame import NO_FORGERY, Reviewing, Visit, Visiting, query
from remembrancer.receipts import lines

if TYPE_CHECKING:
    from memory.service import Memory

router = APIRouter(include_in_schema=False)
_PER_PAGE = 100


@router.get("/memory")
def memory_page(visit: Visiting, user: str = "", q: str = "", page: int = 1) -> Response:
    """A person's memories with their sources."""
    return _page(visit, user, q=q[:500], page=max(page, 1))


@router.get("/memory/{memory_id}/history")
def history(visit: Visiting, memory_id: str, user: str = "") -> Response:
    """What happened to one memory and to the versions before it."""
    return visit.page("_memory_history.html", events=_memory(visit).history(_scope(visit, user), memory_id))


@router.post("/memory/{memory_id}/correct", dependencies=NO_FORGERY)
def correct(
    visit: Visiting,
    memory_id: str,
    content: Annotated[str, Form(max_length=4000)] = "",
    user: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Replace the words; the old ones stay in the history."""
    _memory(visit).correct(_scope(visit, user), memory_id, content, actor=visit.name, reason="on the page")
    return _back(visit, user)


@router.post("/memory/{memory_id}/undo", dependencies=NO_FORGERY)
def undo(visit: Visiting, memory_id: str, user: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Take the last change back."""
    _memory(visit).undo(_scope(visit, user), memory_id, actor=visit.name)
    return _back(visit, user)


@router.post("/memory/{memory_id}/forget", dependencies=NO_FORGERY)
def forget(visit: Visiting, memory_id: str, user: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Delete one memory for good and show the receipt."""
    receipt = _eraser(visit).forget(_scope(visit, user), memory_id, by=visit.name, reason="on the page")
    _log(visit, user, "memory forgotten")
    return _page(visit, user, receipt=receipt)


@router.post("/memory/{memory_id}/settle", dependencies=NO_FORGERY)
def settle_proposal(
    visit: Visiting,
    memory_id: str,
    do: Annotated[str, Form()],
    content: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Say of a pattern or a change that was proposed about oneself that it is so, perhaps in other words, or isn't."""
    scope, memory = _scope(visit, ""), _memory(visit)
    memory.settle(scope, memory_id, accept=do == "accept", content=content.strip() or None, actor=visit.name)
    if do != "accept":
        _eraser(visit).finish()
    return _back(visit, "")


@router.post("/memory/forget-me", dependencies=NO_FORGERY)
def forget_me(
    visit: Visiting,
    confirm: Annotated[str, Form(max_length=200)] = "",
    word: Annotated[str, Form(max_length=200)] = "",
    user: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Delete all that is remembered about a person, after his name was typed once more."""
    if not same_person(word, user or visit.name):
        raise UsageError(visit.words("memory.type_name", name=user or visit.name))
    receipt = _eraser(visit).forget_me(_scope(visit, user), confirm=confirm)
    _log(visit, user, "everything forgotten")
    return _page(visit, user, receipt=receipt)


@router.get("/quarantine")
def quarantine_page(visit: Reviewing) -> Response:
    """What was set aside as suspicious, whoever's memory it was meant for."""
    with reading(visit.office.services.engine) as connection:
        people = _people_with(connection, visit.tenant, "quarantined")
    held = [
        (user, each)
        for user in ("", *people)
        for each in _memory(visit).waiting(scope_of(visit.office.services, user), "quarantined")
    ]
    return visit.page("quarantine.html", held=held)


@router.post("/quarantine/{memory_id}", dependencies=NO_FORGERY)
def settle(
    visit: Reviewing,
    memory_id: str,
    do: Annotated[str, Form()],
    user: Annotated[str, Form(max_length=200)] = "",
    reason: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Release it into the memory, or delete it: the decision on its review, which nobody makes about his own words."""
    held = _memory(visit).show(scope_of(visit.office.services, user), memory_id)
    if held.status != "quarantined":
        raise NotFoundError(f"there is no memory {memory_id} in quarantine")
    (review_id,) = open_held(visit.office.services, user, [held])
    kind: DecisionKind = "approve" if do == "release" else "reject"
    why = reason or ("" if kind == "approve" else "deleted from quarantine")
    visit.office.decide(review_id, kind, by=visit.name, reason=why, via="inbox")
    return visit.go("/quarantine")


def _page(visit: Visit, user: str, *, q: str = "", page: int = 1, receipt: Receipt | None = None) -> Response:
    scope, memory = _scope(visit, user), _memory(visit)
    if q:
        found = [each.memory for each in memory.search(scope, q, k=20).recollections]
    else:
        found = sorted(memory.current(scope), key=lambda each: each.recorded_at, reverse=True)
    return visit.page(
        "memory.html",
        found=found[_PER_PAGE * (page - 1) : _PER_PAGE * page],
        count=len(found),
        proposed=_proposed(memory, scope),
        own=same_person(scope.user_id, visit.name),
        receipt=list(lines(receipt, visit.words.lang)) if receipt else [],
        user=user,
        owner=scope.user_id,
        q=q,
        page=page,
        per_page=_PER_PAGE,
        confirm=memory.forget_me_token(scope),
        query=query,
    )


def _proposed(memory: "Memory", scope: Scope) -> list[tuple[Remembered, Remembered | None]]:
    """What waits for the person's word, each with what it would replace."""
    return [(each, _shown(memory, scope, each.replaces)) for each in memory.waiting(scope, "proposed")]


def _shown(memory: "Memory", scope: Scope, memory_id: str | None) -> Remembered | None:
    """The memory of that id; None for none, and where it was forgotten."""
    try:
        return memory.show(scope, memory_id) if memory_id else None
    except NotFoundError:
        return None


def _scope(visit: Visit, user: str) -> Scope:
    """Whose memory: one's own, or, for a manager, somebody else's of the tenant.

    Raises:
        NotAllowedError: somebody else's, and the visitor is no manager.
    """
    if user and not same_person(user, visit.name):
        visit.require(Role.MANAGER)
        return Scope.user(visit.tenant, user)
    return Scope.user(visit.tenant, visit.name)


def _memory(visit: Visit) -> "Memory":
    return visit.office.services.memory()


def _eraser(visit: Visit) -> Eraser:
    """Forgets in every part of the installation, not in the rows of memory alone."""
    return Eraser(visit.office.settings, visit.office.services, visit.office.saver)


def _back(visit: Visit, user: str) -> Response:
    return visit.go(f"/memory?{query({'user': user})}" if user else "/memory")


def _log(visit: Visit, user: str, event: str) -> None:
    """That it happened, and by whom; not what it was."""
    with visit.office.services.journal.transaction() as transaction:
        transaction.log(visit.tenant, visit.name, event, user or visit.name, via="inbox")


def _people_with(connection: Connection, tenant: str, status: str) -> list[str]:
    """The users of the tenant who have memories of that status."""
    start = Scope.user(tenant, "x").pool[:-1]
    pools = select(memories.c.pool).where(
        memories.c.status == status, memories.c.pool.startswith(start, autoescape=True)
    )
    return sorted(str(pool).removeprefix(start) for pool in connection.execute(pools.distinct()).scalars())
