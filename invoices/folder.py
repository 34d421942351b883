"""Zip folders: each file inside is a document of its own, named `folder.zip/inner.pdf`."""

from collections.abc import Iterator

from foundation.errors import UnreadableError
from invoices.archive import Archive
from invoices.document import Document

DEEPEST = 3
MOST_DOCUMENTS = 5_000
_NOT_FOLDERS = ("ofd.xml", "[content_types].xml")
"""A zip that holds one of these at its top is a document (OFD, office formats), not a folder."""
_NOISE = ("__macosx/", ".ds_store", "thumbs.db", "desktop.ini")


def is_folder(document: Document) -> bool:
    """Whether this is a zip of documents rather than a document that is stored as a zip."""
    archive = document.archive
    return archive is not None and not any(archive.find(name) for name in _NOT_FOLDERS)


def members(document: Document) -> Iterator[tuple[str, Document | UnreadableError]]:
    """The documents in a zip folder, nested ones too; any other document is its own only member.

    A member that can't be taken out (password, bomb, damage, nested too deep) comes as its error, and the others
    still come.

    Returns:
        (name, the document or why there is none), in the order in which they are stored.
    """
    for count, (name, member) in enumerate(_members(document, 0)):
        if count == MOST_DOCUMENTS:
            yield name, UnreadableError(f"{document.name} holds over {MOST_DOCUMENTS} files: split it", "zip_bomb")
            return
        yield name, member


def _members(document: Document, depth: int) -> Iterator[tuple[str, Document | UnreadableError]]:
    try:
        folder = document.archive if is_folder(document) else None
    except UnreadableError as error:
        yield document.name, error
        return
    if folder is None:
        yield document.name, document
    elif depth == DEEPEST:
        yield document.name, UnreadableError(f"{document.name} is nested over {DEEPEST} zips deep", reason="zip_bomb")
    else:
        for inner in folder.names:
            if not inner.lower().rpartition("/")[2].startswith(".") and not _is_noise(inner):
                yield from _opened(folder, inner, f"{document.name}/{inner}", depth)


def _is_noise(name: str) -> bool:
    return any(noise in name.lower() for noise in _NOISE)


def _opened(folder: Archive, inner: str, name: str, depth: int) -> Iterator[tuple[str, Document | UnreadableError]]:
    try:
        member = Document(name, folder.read(inner))
    except UnreadableError as error:
        yield name, error
        return
    yield from _members(member, depth + 1)
