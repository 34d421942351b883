"""What a person may do besides deciding reviews: one table, asked inside the transaction of the deed.

Where a tenant has created nobody, whoever is named is somebody alone at his machine and may do all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from foundation.errors import NotAllowedError
from oversight.people import Person, Role, identify, role_text


class Deed(StrEnum):
    """Something that a person does to how work is watched, or to what is booked."""

    PULL_BRAKE = "pull_brake"
    RELEASE_BRAKE = "release_brake"
    END_RUN = "end_run"
    CHANGE_LIMIT = "change_limit"
    SETTLE_RULE = "settle_rule"
    REVERSE_BOOKING = "reverse_booking"
    NAME_SUBMITTER = "name_submitter"
    NAME_FILES = "name_files"
    CHOOSE_OVERSIGHT = "choose_oversight"


@dataclass(frozen=True, slots=True)
class Right:
    """The least role that a deed needs, and the deed in words."""

    role: Role
    words: str


RIGHTS: Mapping[Deed, Right] = {
    # Stopping is open to everybody: it costs time at most.
    Deed.PULL_BRAKE: Right(Role.SUBMITTER, "pulling the brake"),
    Deed.RELEASE_BRAKE: Right(Role.REVIEWER, "releasing the brake"),
    Deed.END_RUN: Right(Role.REVIEWER, "ending a run"),
    Deed.CHANGE_LIMIT: Right(Role.MANAGER, "changing a limit"),
    Deed.SETTLE_RULE: Right(Role.MANAGER, "settling a proposed rule"),
    Deed.REVERSE_BOOKING: Right(Role.REVIEWER, "reversing a booking"),
    Deed.NAME_SUBMITTER: Right(Role.REVIEWER, "bringing in what is another's"),
    Deed.NAME_FILES: Right(Role.REVIEWER, "naming files of the server"),
    Deed.CHOOSE_OVERSIGHT: Right(Role.MANAGER, "choosing the policy or the degree of oversight"),
}
"""Deed -> what it needs."""


def may(person: Person | None, deed: Deed) -> bool:
    """Whether somebody may; None is somebody alone at his machine."""
    return person is None or person.has(RIGHTS[deed].role)


def require_right(connection: Connection, tenant: str, name: str, deed: Deed) -> Person | None:
    """Make sure that the person of that name may; he is returned, None for somebody alone at his machine.

    Raises:
        NotAllowedError: nobody is named, the name is nobody's, or his roles are not enough.
    """
    person = identify(connection, tenant, name)
    if person is not None and not may(person, deed):
        right = RIGHTS[deed]
        raise NotAllowedError(f"{person.name} is {role_text(person.roles)}: {right.words} needs a {right.role}")
    return person
