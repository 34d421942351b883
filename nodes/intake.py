"""Register a batch: which files, under which policy, brought in by whom."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import UsageError
from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.checks import RULES_VERSION
from invoices.ledger import Batch, BatchFile, find_batch, open_batch
from invoices.manifest import claim_from_json, read_manifest
from invoices.parts import find_files
from invoices.policy import Policy, load_policy
from invoices.schematron import Schematron
from nodes.services import Services
from nodes.watching import degree_of
from nodes.weighing import BOOK
from oversight.degrees import Degree, degree_named
from oversight.feed import Event, publish
from oversight.people import identify, same_person
from oversight.rights import Deed, require_right
from oversight.runs import begin_run
from oversight.threads import bind_thread

_CHOICES: Mapping[Deed, tuple[str, ...]] = {
    Deed.NAME_FILES: ("paths", "manifest"),
    Deed.CHOOSE_OVERSIGHT: ("policy", "schematron", "oversight", "sample_one_in"),
}
"""What not everybody who is signed in may say about a batch."""
_KEPT_BY_THE_BATCH = ("paths", "policy", "manifest", "claim", "schematron", "oversight", "sample_one_in")


def intake(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """List the files and open the batch; the state keeps its id and a cursor, never the list."""
    oversight = state.get("oversight") or config.get("configurable", {}).get("oversight") or ""
    submitter = _submitter({**state, "oversight": oversight}, services.signed_in(config), services)
    files = _with_claims(find_files(state.get("paths") or []), state, submitter)
    policy_file = state.get("policy") or services.policy_file
    policy = _policy(policy_file, state.get("schematron") or "")
    policy = _watched(policy, oversight, state.get("sample_one_in") or 0)
    degree = degree_of(policy)
    thread_id = services.thread(config)
    with services.journal.transaction() as transaction:
        owner = services.person(config)
        bind_thread(transaction.connection, thread_id, services.tenant, "invoice_audit", owner, transaction.at)
        name = state.get("batch") or _free_name(transaction.connection, services)
        batch = Batch(
            batch_id=derived_id("bat", services.tenant, name),
            tenant=services.tenant,
            name=name,
            thread_id=thread_id,
            policy=policy.digest,
            policy_file=str(Path(policy_file).absolute()),
            rules=RULES_VERSION,
            submitter=submitter,
            asks_here=degree == "hitl" and state.get("ask_in", "here") == "here",
            files=len(files),
            created_at=transaction.at,
        )
        known = find_batch(transaction.connection, services.tenant, name)
        if known and known.thread_id != thread_id:
            raise UsageError(f"there is a batch {name} already: choose another name")
        if known is None:
            open_batch(transaction.connection, batch, files, policy)
            _tell(transaction, batch, degree, batch.submitter or services.account)
    return {
        "batch_id": batch.batch_id,
        "files": known.files if known else len(files),
        "file": 0,
        "part": 0,
        "spent": "0",
        # Only where a person is in the loop does the run wait at each question.
        **({"ask_in": "threads"} if degree != "hitl" else {}),
        # The batch holds these from here on; a checkpoint would carry them along at every step.
        **{name: type(state[name])() for name in _KEPT_BY_THE_BATCH if state.get(name)},
    }


def _tell(transaction: Transaction, batch: Batch, degree: Degree, by: str) -> None:
    """Begin the batch's run, in the audit log and before whoever watches."""
    begin_run(transaction.connection, batch.tenant, batch.batch_id, degree)
    facts = {"name": batch.name, "files": batch.files, "policy": batch.policy, "oversight": degree}
    transaction.log(batch.tenant, by, "batch opened", batch.batch_id, **facts)
    event = Event(kind="batch_opened", subject=batch.batch_id, batch=batch.batch_id, facts=facts)
    publish(transaction.connection, batch.tenant, transaction.at, event)


def _submitter(state: dict[str, Any], signed_in: str, services: Services) -> str:
    """Who brings the batch in: somebody signed in does so himself, unless he may name another."""
    named = str(state.get("submitter") or "")
    with reading(services.engine) as connection:
        person = identify(connection, services.tenant, signed_in) if signed_in else None
        if person is None:
            return named
        for deed, choices in _CHOICES.items():
            if any(state.get(choice) for choice in choices):
                require_right(connection, services.tenant, person.name, deed)
        if named and not same_person(named, person.name):
            require_right(connection, services.tenant, person.name, Deed.NAME_SUBMITTER)
    return named or person.name


def _with_claims(files: list[BatchFile], state: dict[str, Any], submitter: str) -> list[BatchFile]:
    """Each file with its claim: the manifest's row of its name, else what the batch says."""
    otherwise = claim_from_json((state.get("claim") or {}) | {"submitter": submitter})
    manifest = read_manifest(Path(state["manifest"]), otherwise) if state.get("manifest") else {}
    if missing := sorted(set(manifest) - {file.name for file in files}):
        raise UsageError(f"the manifest names {', '.join(missing[:3])}, which is not among the files")
    return [replace(file, claim=manifest.get(file.name, otherwise)) for file in files]


def _policy(path: str, schematron: str) -> Policy:
    if not path:
        raise UsageError("a policy is needed: --policy FILE, or REMEMBRANCER_POLICY")
    policy = load_policy(Path(path))
    if schematron:
        policy = Policy.from_text(
            json.dumps(json.loads(policy.to_text()) | {"schematron": str(Path(schematron).absolute())})
        )
    if policy.schematron:
        Schematron(Path(policy.schematron))
    return policy


def _watched(policy: Policy, degree: str, sample_one_in: int) -> Policy:
    """The policy under the degree and the sampling asked for: it is the batch's own from here on."""
    if not degree and not sample_one_in:
        return policy
    said = json.loads(policy.to_text())
    if degree:
        said["oversight"]["actions"][BOOK] = degree_named(degree)
    if sample_one_in:
        said["oversight"]["sample_one_in"] = sample_one_in
    return Policy.from_text(json.dumps(said))


def _free_name(connection: Connection, services: Services) -> str:
    day = services.today().isoformat()
    number = 1
    while find_batch(connection, services.tenant, f"{day}-{number}"):
        number += 1
    return f"{day}-{number}"
