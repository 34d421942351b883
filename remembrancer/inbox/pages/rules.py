"""The rules: how often each was overturned, and what another policy would have done."""

from typing import Annotated

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import Response

from foundation.errors import PolicyError
from invoices.policy import Policy
from remembrancer.inbox.frame import NO_FORGERY, Managing, Reviewing
from remembrancer.insights import preview, rule_records

router = APIRouter(include_in_schema=False)
_LARGEST_POLICY = 200 * 2**10


@router.get("/rules")
def rules_page(visit: Reviewing) -> Response:
    """How the rules did."""
    return visit.page("rules.html", records=rule_records(visit.office.services), found=None, wrong="")


@router.post("/rules/preview", dependencies=NO_FORGERY)
def preview_policy(visit: Managing, policy: Annotated[UploadFile, File()]) -> Response:
    """What this policy would have done to what was audited so far; nothing is changed."""
    services = visit.office.services
    found, wrong = None, ""
    try:
        found = preview(services, Policy.from_text(policy.file.read(_LARGEST_POLICY).decode("utf-8")))
    except (PolicyError, UnicodeDecodeError) as error:
        wrong = str(error)
    status = 422 if wrong else 200
    return visit.page("rules.html", status=status, records=rule_records(services), found=found, wrong=wrong)
