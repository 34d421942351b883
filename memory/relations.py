"""Entities and the relations between them, each told by a memory and alive as long as that is.

An edge is stored from both its ends, so a step along it is one search of an index. What a question names is followed
two hops, and from what is reached there one step on along the direction of the sentence: Lin -> works on -> Apollo ->
uses -> React -> has -> a toolkit. Every step stays in the pool, and crosses only what holds at the moment asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import CTE, ColumnElement, Connection, and_, bindparam, case, delete, exists, literal, or_, select, true

from foundation.sequences import chunks
from memory.model import Remembered
from memory.sql import keep_first_of_many
from memory.tables import entities, memories, relations
from memory.triples import Triple, key_of, triples_of

_HOPS = 2
_IN_CHUNK = 500
_MOST = 40
"""Memories that may be reached; the nearest first."""
_SLIP_FROM = 4
"""Letters from which a word may hold a slip."""
_SLIPS = 12
"""Words of a question that are looked at for slips."""
_NAMES_COMPARED = 500


_TOUCHED = (
    select(relations.c.pool, relations.c.near)
    .where(relations.c.memory_id.in_(bindparam("told_by", expanding=True)))
    .distinct()
)
DROP_LONELY = delete(entities).where(
    entities.c.pool == bindparam("of_pool"),
    entities.c.entity == bindparam("named"),
    ~exists().where(relations.c.pool == bindparam("of_pool"), relations.c.near == bindparam("named")),
)


@dataclass(frozen=True, slots=True)
class Reached:
    """How a memory was reached."""

    edges: int
    """How many edges away from what the question names: 1 to 3."""
    via: str
    """The memory that told the first of them; itself, where it is the first."""
    forward: bool
    """Whether every step goes the way its sentence does."""


def note(connection: Connection, pool: str, memory: Remembered) -> None:
    """Keep the relations that a memory tells."""
    note_many(connection, pool, [memory])


def note_many(connection: Connection, pool: str, told: Sequence[Remembered]) -> None:
    """Keep the relations that these memories tell."""
    found = [(memory.memory_id, triple) for memory in told for triple in triples_of(memory)]
    names = {key_of(name): name for _, triple in found for name in (triple.head, triple.tail)}
    known = [{"pool": pool, "entity": key, "name": name} for key, name in names.items() if key]
    keep_first_of_many(connection, entities, known)
    edges = [edge for memory_id, triple in found for edge in _both_ways(pool, memory_id, triple)]
    keep_first_of_many(connection, relations, edges)


def _both_ways(pool: str, memory_id: str, triple: Triple) -> list[dict[str, object]]:
    head, tail = key_of(triple.head), key_of(triple.tail)
    if not head or not tail:
        return []
    same = {"pool": pool, "memory_id": memory_id, "relation": triple.relation}
    return [
        {**same, "near": head, "far": tail, "forward": True},
        {**same, "near": tail, "far": head, "forward": False},
    ]


def erase(connection: Connection, pool: str, memory_ids: Sequence[str]) -> None:
    """Delete the edges that these memories told, and the entities that no other edge touches."""
    for some in chunks(memory_ids, _IN_CHUNK):
        names = touched(connection, some)
        connection.execute(delete(relations).where(relations.c.pool == pool, relations.c.memory_id.in_(some)))
        drop_lonely(connection, names)


def touched(connection: Connection, memory_ids: Sequence[str]) -> list[dict[str, str]]:
    """The entities at the ends of these memories' edges, each with its pool."""
    found = connection.execute(_TOUCHED, {"told_by": list(memory_ids)})
    return [{"of_pool": row.pool, "named": row.near} for row in found]


def drop_lonely(connection: Connection, names: Sequence[dict[str, str]]) -> None:
    """Delete those of these entities that no edge touches."""
    if names:
        connection.execute(DROP_LONELY, names)


def erase_pool(connection: Connection, pool: str) -> None:
    """Delete all relations and entities of a pool."""
    connection.execute(delete(relations).where(relations.c.pool == pool))
    connection.execute(delete(entities).where(entities.c.pool == pool))


def reach(
    connection: Connection,
    pool: str,
    named: Sequence[str],
    holds: ColumnElement[bool],
    *,
    words: Sequence[str] = (),
) -> dict[str, Reached]:
    """The memories within reach of what a question names, by id; the nearest are kept.

    Args:
        connection: a transaction.
        pool: the pool; no edge leads out of it.
        named: keys that the question could name (`triples.keys_in`); those that name nothing are passed over.
        holds: a condition on `memories`: which of them hold at the moment asked about.
        words: single words of the question; one slip in a name is forgiven.
    """
    if connection.execute(select(entities.c.entity).where(entities.c.pool == pool).limit(1)).first() is None:
        return {}
    known = _known(connection, pool, named)
    known += [
        each for each in _nearly_known(connection, pool, [w for w in words if w not in known]) if each not in known
    ]
    if not known:
        return {}
    walk = _walk(pool, holds)
    onward = and_(walk.c.forward, relations.c.forward)
    query = (
        select(relations.c.memory_id, walk.c.depth + 1, _first(walk), onward)
        .select_from(relations.join(walk, relations.c.near == walk.c.entity))
        .where(relations.c.pool == pool, or_(walk.c.depth < _HOPS, relations.c.forward))
        .order_by(walk.c.depth, onward.desc(), relations.c.memory_id, _first(walk))
        .limit(_MOST)
    )
    found: dict[str, Reached] = {}
    for memory_id, edges, via, forward in connection.execute(query, {"known": known}):
        found.setdefault(memory_id, Reached(int(edges), via, bool(forward)))
    return found


def _first(walk: CTE) -> ColumnElement[str]:
    return case((walk.c.via == "", relations.c.memory_id), else_=walk.c.via)


def _walk(pool: str, holds: ColumnElement[bool]) -> CTE:
    """The entities within two hops of the known ones, with the memory that told the first hop."""
    start = select(
        entities.c.entity, literal(0).label("depth"), literal("").label("via"), true().label("forward")
    ).where(entities.c.pool == pool, entities.c.entity.in_(bindparam("known", expanding=True)))
    walk = start.cte("walk", recursive=True)
    step = relations.join(walk, relations.c.near == walk.c.entity).join(
        memories, memories.c.memory_id == relations.c.memory_id
    )
    onward = select(
        relations.c.far, walk.c.depth + 1, _first(walk), and_(walk.c.forward, relations.c.forward)
    ).select_from(step)
    return walk.union(onward.where(relations.c.pool == pool, walk.c.depth < _HOPS, holds))


def _known(connection: Connection, pool: str, named: Sequence[str]) -> list[str]:
    found: list[str] = []
    for start in range(0, len(named), _IN_CHUNK):
        part = list(named[start : start + _IN_CHUNK])
        query = select(entities.c.entity).where(entities.c.pool == pool, entities.c.entity.in_(part))
        found += connection.execute(query).scalars()
    return found


def _nearly_known(connection: Connection, pool: str, words: Sequence[str]) -> list[str]:
    """Entities whose name is one slip away from a word of the question."""
    likely = [word for word in words if word.isascii() and len(word) >= _SLIP_FROM][:_SLIPS]
    if not likely:
        return []
    # The first two letters are right, mostly, and let an index find the few names to compare.
    starts = {word[:2] for word in likely}
    near = or_(
        *((entities.c.entity >= each) & (entities.c.entity < each[0] + chr(ord(each[1]) + 1)) for each in starts)
    )
    query = select(entities.c.entity).where(entities.c.pool == pool, near).limit(_NAMES_COMPARED)
    names = connection.execute(query).scalars().all()
    return [name for name in names if any(is_slip(word, name) for word in likely)]


def is_slip(word: str, name: str) -> bool:
    """Whether a word is a name with one letter missing, added, wrong, or two neighbours exchanged."""
    # A digit more or less is another thing, no slip: chapter 7 isn't any chapter.
    if word == name or abs(len(word) - len(name)) > 1 or not (word.isalpha() and name.isalpha()):
        return False
    first = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    one, other = word[first:], name[first:]
    return (
        one[1:] == other[1:]
        or one[1:] == other
        or one == other[1:]
        or (one[:2] == other[1::-1] and one[2:] == other[2:])
    )
