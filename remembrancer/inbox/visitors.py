"""Who visits the page, and what his roles let him do."""

from dataclasses import dataclass

from sqlalchemy import Connection

from oversight.people import Role, find_person

ALONE = frozenset({Role.ADMIN})
"""The roles of somebody alone on his machine, before there are people."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who is signed in."""

    name: str
    roles: frozenset[Role]

    def may(self, role: Role) -> bool:
        """Whether he has that role or one above it."""
        return any(mine.rank >= role.rank for mine in self.roles)

    @property
    def reviews(self) -> bool:
        """Whether he may decide."""
        return self.may(Role.REVIEWER)

    @property
    def manages(self) -> bool:
        """Whether he may reassign, brake and look after other people's memory."""
        return self.may(Role.MANAGER)

    @property
    def administers(self) -> bool:
        """Whether he may look after tokens and policies."""
        return self.may(Role.ADMIN)

    @property
    def highest(self) -> Role:
        """The highest of his roles."""
        return max(self.roles, key=lambda role: role.rank)


def visitor_of(connection: Connection, tenant: str, name: str) -> Visitor:
    """The person of this name as a visitor.

    Raises:
        NotFoundError: this tenant has no such person.
    """
    person = find_person(connection, tenant, name)
    return Visitor(person.name, person.roles)
