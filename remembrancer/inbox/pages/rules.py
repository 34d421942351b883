"""The rules: how often each was overturned, and what another policy would have done."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import Response
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import PolicyError
from invoices.policy import Policy
from oversight.proposals import ProposalStatus, RuleProposal, list_proposals, party_name, settle
from remembrancer.inbox.frame import NO_FORGERY, Managing, Reviewing, Visit
from remembrancer.inbox.tellings import rule_in_words
from remembrancer.inbox.words import Words
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


def _meaning(connection: Connection, words: Words, one: RuleProposal) -> str:
    return rule_in_words(words, one.kind, one.rule, party_name(connection, one), one.content)


def _page(visit: Visit, *, found: Preview | None = None, wrong: str = "") -> Response:
    services = visit.office.services
    with reading(services.engine) as connection:
        proposals = list_proposals(connection, visit.tenant, ProposalStatus.PROPOSED)
        accepted = list_proposals(connection, visit.tenant, ProposalStatus.ACCEPTED)
        meant = {one.proposal_id: _meaning(connection, visit.words, one) for one in (*proposals, *accepted)}
    shown: dict[str, Any] = {"records": rule_records(services), "proposals": proposals, "accepted": accepted}
    shown |= {"found": found, "wrong": wrong, "meant": meant}
    return visit.page("rules.html", status=422 if wrong else 200, **shown)
