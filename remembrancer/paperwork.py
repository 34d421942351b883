"""Words outside memory and checkpoints: reviews about memories, exported files, logs - and the files we know of."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, delete, select, update

from foundation.files import replace_text
from foundation.journal import audit_content, audit_log
from foundation.sequences import chunks
from foundation.upserts import replace_row
from memory.tables import known_files
from memory.transcript import blanked
from oversight.actions import rewrite_actions
from oversight.tables import reviews

FileKind = Literal["export", "backup"]
ABOUT_MEMORY = "memory."
"""How the names of actions begin whose reviews quote what somebody said."""
_MANY = 500


def note_file(connection: Connection, path: Path, kind: FileKind, *, pool: str = "", at: datetime) -> None:
    """Note a file that the program wrote somewhere, so that a deletion finds it."""
    row = {"path": str(path.absolute()), "kind": kind, "of_pool": pool, "made_at": at}
    replace_row(connection, known_files, row, key=("path",))


def known(connection: Connection, kind: FileKind, pool: str = "") -> list[Path]:
    """The files of a kind that are still there, oldest first."""
    query = select(known_files.c.path).where(known_files.c.kind == kind, known_files.c.of_pool == pool)
    paths = [Path(each) for each in connection.execute(query.order_by(known_files.c.made_at)).scalars()]
    return [path for path in paths if path.exists()]


def clear_actions(
    connection: Connection, tenant: str, threads: Sequence[str], texts: Sequence[str], *, whole: bool
) -> None:
    """Take the words out of what the assistant did in these threads; all words where everything goes."""
    rewrite_actions(connection, tenant, threads, (lambda _: "") if whole else (lambda text: blanked(text, texts)))


def clear_reviews(connection: Connection, tenant: str, threads: Sequence[str], texts: Sequence[str]) -> None:
    """Blank the words in reviews of these conversations, and in what the audit log keeps beside its chain."""
    for some in chunks(threads, _MANY):
        mine = (reviews.c.tenant == tenant) & reviews.c.thread_id.in_(some)
        query = select(reviews.c.review_id, reviews.c.action, reviews.c.question, reviews.c.headline).where(mine)
        for row in connection.execute(query).all():
            question = json.dumps(_blank(json.loads(row.question), texts), ensure_ascii=False)
            changed = {"question": question, "headline": blanked(row.headline, texts)}
            same = (question, changed["headline"]) == (row.question, row.headline)
            if same and not row.action.startswith(ABOUT_MEMORY):
                continue  # Who let the assistant do what stays in the log as long as none of the words stand there.
            connection.execute(update(reviews).where(reviews.c.review_id == row.review_id).values(changed))
            _drop_content(connection, tenant, row.review_id)


def _drop_content(connection: Connection, tenant: str, subject: str) -> None:
    lines = select(audit_log.c.seq).where(audit_log.c.tenant == tenant, audit_log.c.subject == subject)
    connection.execute(delete(audit_content).where(audit_content.c.tenant == tenant, audit_content.c.seq.in_(lines)))


def _blank(value: object, texts: Sequence[str]) -> object:
    if isinstance(value, str):
        return blanked(value, texts)
    if isinstance(value, list):
        return [_blank(each, texts) for each in value]
    return {name: _blank(each, texts) for name, each in value.items()} if isinstance(value, dict) else value


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
