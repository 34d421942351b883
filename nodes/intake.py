"""Register a batch: which files, under which policy, brought in by whom."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.errors import UsageError
from foundation.ids import derived_id
from invoices.checks import RULES_VERSION
from invoices.ledger import Batch, BatchFile, find_batch, open_batch
from invoices.manifest import claim_from_json, read_manifest
from invoices.parts import find_files
from invoices.policy import Policy, load_policy
from invoices.schematron import Schematron
from nodes.services import Services
from oversight.threads import bind_thread

_KEPT_BY_THE_BATCH = ("paths", "policy", "manifest", "claim", "schematron")


def intake(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """List the files and open the batch; the state keeps its id and a cursor, never the list."""
    files = _with_claims(find_files(state.get("paths") or []), state)
    policy_file = state.get("policy") or services.policy_file
    policy = _policy(policy_file, state.get("schematron") or "")
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
            submitter=state.get("submitter") or "",
            asks_here=state.get("ask_in", "here") == "here",
            files=len(files),
            created_at=transaction.at,
        )
        known = find_batch(transaction.connection, services.tenant, name)
        if known and known.thread_id != thread_id:
            raise UsageError(f"there is a batch {name} already: choose another name")
        if known is None:
            open_batch(transaction.connection, batch, files, policy)
            submitter = batch.submitter or services.account
            transaction.log(
                services.tenant,
                submitter,
                "batch opened",
                batch.batch_id,
                name=name,
                files=len(files),
                policy=policy.digest,
            )
    return {
        "batch_id": batch.batch_id,
        "files": known.files if known else len(files),
        "file": 0,
        "part": 0,
        "spent": "0",
        # The batch holds these from here on; a checkpoint would carry them along at every step.
        **{name: type(state[name])() for name in _KEPT_BY_THE_BATCH if state.get(name)},
    }


def _with_claims(files: list[BatchFile], state: dict[str, Any]) -> list[BatchFile]:
    """Each file with its claim: the manifest's row of its name, else what the batch says."""
    otherwise = claim_from_json((state.get("claim") or {}) | {"submitter": state.get("submitter") or ""})
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


def _free_name(connection: Connection, services: Services) -> str:
    day = services.today().isoformat()
    number = 1
    while find_batch(connection, services.tenant, f"{day}-{number}"):
        number += 1
    return f"{day}-{number}"
