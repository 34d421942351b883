"""The rules: how often each was overturned, and what another policy would have done."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import Response
from sqlalchemy import Connection, select

from foundation.database import reading
from foundation.errors import PolicyError
from invoices.policy import Policy
from oversight.proposals import ProposalStatus, RuleProposal, list_proposals, settle
from oversight.tables import decisions, reviews
from remembrancer.inbox.frame import NO_FORGERY, Managing, Reviewing, Visit
from remembrancer.insights import Preview, preview, rule_records

router = APIRouter(include_in_schema=False)
_LARGEST_POLICY = 200 * 2**10


@router.get("/rules")
def rules_page(visit: Reviewing) -> Response:
    """How the rules did, and what people's decisions suggest."""
    return _page(visit)


@router.post("/rules/proposals/{proposal_id}", dependencies=NO_FORGERY)
def settle_proposal(
    visit: Managing,
    proposal_id: str,
    do: Annotated[str, Form()],
    why: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Accept or decline a rule that people's decisions suggest."""
    with visit.office.services.journal.transaction() as transaction:
        settle(transaction, visit.tenant, proposal_id, accept=do == "accept", by=visit.name, why=why)
    return visit.go("/rules")


@router.post("/rules/preview", dependencies=NO_FORGERY)
def preview_policy(visit: Managing, policy: Annotated[UploadFile, File()]) -> Response:
    """What this policy would have done to what was audited so far; nothing is changed."""
    services, found, wrong = visit.office.services, None, ""
    try:
        found = preview(services, Policy.from_text(policy.file.read(_LARGEST_POLICY).decode("utf-8")))
    except (PolicyError, UnicodeDecodeError) as error:
        wrong = str(error)
    return _page(visit, found=found, wrong=wrong)


def _party(connection: Connection, one: RuleProposal) -> str:
    """The party by name, with its id, where the decisions that suggest the rule are still there."""
    about = select(reviews.c.party).join(decisions, decisions.c.review_id == reviews.c.review_id)
    decided = (decisions.c.tenant == one.tenant) & decisions.c.decision_id.in_(list(one.evidence))
    name = connection.execute(about.where(decided, reviews.c.tenant == one.tenant).limit(1)).scalar()
    return f"{name} ({one.party})" if name and name != one.party else one.party


def _page(visit: Visit, *, found: Preview | None = None, wrong: str = "") -> Response:
    services = visit.office.services
    with reading(services.engine) as connection:
        proposals = list_proposals(connection, visit.tenant, ProposalStatus.PROPOSED)
        accepted = list_proposals(connection, visit.tenant, ProposalStatus.ACCEPTED)
        named = {one.proposal_id: _party(connection, one) for one in (*proposals, *accepted)}
    shown: dict[str, Any] = {"records": rule_records(services), "proposals": proposals, "accepted": accepted}
    shown |= {"found": found, "wrong": wrong, "named": named}
    return visit.page("rules.html", status=422 if wrong else 200, **shown)
