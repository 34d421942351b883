"""Words outside memory and checkpoints: reviews about memories, exported files, logs - and the files we know of."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, and_, delete, select, update

from foundation.database import writing
from foundation.files import replace_text
from foundation.journal import audit_content, audit_log
from foundation.sequences import chunks
from foundation.upserts import replace_row
from memory.tables import known_files
from memory.transcript import blanked
from nodes.quarantine_matter import REMEMBER
from oversight.erasing import Rewrite, rewritten
from oversight.tables import actions, reviews
from remembrancer.places import QUOTING, Quoting

FileKind = Literal["export", "backup", "import"]
ABOUT_MEMORY = ("memory.", REMEMBER)
"""How the names of actions begin whose reviews quote what somebody said."""
_MANY = 500
_TELLING = 8
"""Characters that an argument of an action must have to be looked for elsewhere: a date or a sum stands everywhere."""
_SUBJECTS = ("review_id", "subject", "action_key")
"""Columns with what the audit log calls a row."""


def note_file(connection: Connection, path: Path, kind: FileKind, *, pool: str = "", at: datetime) -> None:
    """Note a file that the program wrote somewhere, so that a deletion finds it."""
    row = {"path": str(path.absolute()), "kind": kind, "of_pool": pool, "made_at": at}
    replace_row(connection, known_files, row, key=("path",))


def note_read(engine: Engine, path: Path, *, pool: str = "", at: datetime) -> None:
    """Note a file from which memories were taken in: a deletion looks into it, and says what it can't delete.

    `pool` is whose all of it was; a file with the words of several people is noted for all.
    """
    with writing(engine) as connection:
        note_file(connection, path, "import", pool=pool, at=at)


def known(connection: Connection, kind: FileKind, pool: str = "") -> list[Path]:
    """The files of a kind that are still there, oldest first."""
    query = select(known_files.c.path).where(known_files.c.kind == kind, known_files.c.of_pool == pool)
    paths = [Path(each) for each in connection.execute(query.order_by(known_files.c.made_at)).scalars()]
    return [path for path in paths if path.exists()]


def clear_rows(
    connection: Connection, tenant: str, threads: Sequence[str], texts: Sequence[str], *, whole: bool
) -> None:
    """Blank the words in all rows that may quote these threads, and in what the audit log keeps beside its chain.

    Args:
        connection: a write transaction.
        tenant: whose rows.
        threads: the person's threads.
        texts: the words.
        whole: everything of the person goes: what the assistant did for him keeps no words at all.
    """
    found = {"thread_id": list(threads), "thread": list(threads), "review_id": _reviews_of(connection, tenant, threads)}
    words = [*texts, *(_words_of_actions(connection, tenant, threads) if whole else ())]
    words.sort(key=len, reverse=True)
    changed = _about_memory(connection, tenant, found["review_id"])

    def blank(text: str) -> str:
        return blanked(text, words)

    for place in QUOTING:
        emptied = whole and place.table is actions
        changed |= _clear_place(connection, tenant, place, found[place.by], _nothing if emptied else blank)
    # Who let the assistant do what stays in the log as long as none of the words stand there.
    _drop_content(connection, tenant, changed)


def _words_of_actions(connection: Connection, tenant: str, threads: Sequence[str]) -> set[str]:
    """What the assistant wrote for the person: it stands in what reviewers were asked, too."""
    found: set[str] = set()
    for some in chunks(threads, _MANY):
        query = select(actions.c.args, actions.c.result).where(
            actions.c.tenant == tenant, actions.c.thread_id.in_(some)
        )
        for args, result in connection.execute(query):
            found.update(_texts([_parsed(args), result]))
    return {text for text in found if len(text) >= _TELLING}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _reviews_of(connection: Connection, tenant: str, threads: Sequence[str]) -> list[str]:
    query = select(reviews.c.review_id).where(reviews.c.tenant == tenant)
    return [
        str(each)
        for some in chunks(threads, _MANY)
        for each in connection.execute(query.where(reviews.c.thread_id.in_(some))).scalars()
    ]


def _nothing(_: str) -> str:
    return ""


def _about_memory(connection: Connection, tenant: str, review_ids: Sequence[str]) -> set[str]:
    """Those of the reviews that quote what somebody said by their very nature, with what they are about."""
    found: set[str] = set()
    for some in chunks(review_ids, _MANY):
        query = select(reviews.c.review_id, reviews.c.subject, reviews.c.action).where(
            reviews.c.tenant == tenant, reviews.c.review_id.in_(some)
        )
        for row in connection.execute(query):
            if row.action.startswith(ABOUT_MEMORY):
                found |= {row.review_id, row.subject}
    return found


def _clear_place(connection: Connection, tenant: str, place: Quoting, keys: Sequence[str], words: Rewrite) -> set[str]:
    """Blank the rows of one table; returns what the audit log calls those that changed."""
    table = place.table
    mine = table.c.tenant == tenant
    primary = list(table.primary_key)
    changed: set[str] = set()
    for some in chunks(keys, _MANY):
        for row in connection.execute(select(table).where(mine, table.c[place.by].in_(some))).mappings().all():
            new = {name: _reworded(row[name], words, place.names) for name in place.words if row[name]}
            if any(new[name] != row[name] for name in new):
                this = and_(*(column == row[column.name] for column in primary))
                connection.execute(update(table).where(this).values(new))
                changed.update(str(row[name]) for name in _SUBJECTS if name in row)
    return changed


def _reworded(value: str, words: Rewrite, names: frozenset[str]) -> str:
    """A column in other words, plain text or JSON; that keeps its keys, and fields that are `names`."""
    parsed = _parsed(value)
    return words(value) if parsed is None else json.dumps(rewritten(parsed, words, names), ensure_ascii=False)


def _parsed(value: str) -> dict[str, object] | list[object] | None:
    if not value.startswith(("{", "[")):
        return None
    try:
        parsed = json.loads(value)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _drop_content(connection: Connection, tenant: str, subjects: Collection[str]) -> None:
    """Drop what the log keeps of these beside its chain; the line itself - who, what, when - stays and verifies."""
    for some in chunks(sorted(subjects), _MANY):
        lines = select(audit_log.c.seq).where(audit_log.c.tenant == tenant, audit_log.c.subject.in_(some))
        mine = (audit_content.c.tenant == tenant) & audit_content.c.seq.in_(lines)
        connection.execute(delete(audit_content).where(mine))


def forget_files(connection: Connection, pool: str) -> None:
    """Drop the notes of a person's own files: their names may name him."""
    connection.execute(delete(known_files).where(known_files.c.of_pool == pool))


def clear_exports(files: Sequence[Path], texts: Sequence[str], *, whole: bool) -> None:
    """Take the lines with these words out of exported files; a file that held nothing else goes."""
    for file in files:
        lines = [] if whole else _lines_without(file, texts)
        if lines:
            replace_text(file, "".join(lines))
        else:
            file.unlink(missing_ok=True)


def _lines_without(file: Path, texts: Sequence[str]) -> list[str]:
    """The lines that stay; where lines aren't documents of their own, the words are blanked instead."""
    escaped = [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts]
    content = file.read_text("utf-8")
    if content.startswith("{\n"):
        return [blanked(content, escaped)]
    lines = content.splitlines(keepends=True)
    return [line for line in lines if not any(text in line for text in escaped)]


def clear_logs(home: Path, texts: Sequence[str]) -> None:
    """Blank the words in log files of the home folder, written plainly or as JSON."""
    listed = {form for text in texts for form in (text, json.dumps(text)[1:-1])}
    words = sorted(listed, key=len, reverse=True)
    for file in [*home.rglob("*.log"), *home.rglob("*.log.*")]:
        text = file.read_text("utf-8", errors="surrogateescape")
        if any(word in text for word in words):
            replace_text(file, blanked(text, words))
