"""Zip files from strangers: members counted, sizes and ratios limited, before and while they are unpacked.

What a zip's directory claims is not believed: each member is unpacked in pieces and stopped at its limit.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from functools import cached_property

from foundation.errors import UnreadableError

MOST_MEMBERS = 2_000
LARGEST_MEMBER = 50 * 2**20
LARGEST_TOTAL = 200 * 2**20
HIGHEST_RATIO = 200
"""Unpacked to packed; ordinary XML stays under 30, a bomb of zeros is at 1000."""
RATIO_FREE_SIZE = 2 * 2**20
"""A member under this size may have any ratio: it can't hurt."""
_PIECE = 2**20
_ENCRYPTED = 0x1
_UTF8_NAME = 0x800
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, RuntimeError)


class Archive:
    """The members of one zip, read one at a time."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        self._left = LARGEST_TOTAL
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _BROKEN as error:
            raise UnreadableError(f"{name} is a broken zip ({error}): send it again", reason="broken_zip") from None
        if len(self._zip.infolist()) > MOST_MEMBERS:
            raise UnreadableError(f"{name} has over {MOST_MEMBERS} members: refused", reason="zip_bomb")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all files in it, as stored but with GB 18030 names decoded (old Windows tools write them)."""
        return tuple(self._infos)

    @cached_property
    def _infos(self) -> dict[str, zipfile.ZipInfo]:
        return {_readable_name(info): info for info in self._zip.infolist() if info.filename and not info.is_dir()}

    @cached_property
    def _by_lower(self) -> dict[str, str]:
        return {_plain(name).lower(): name for name in self.names}

    def find(self, path: str) -> str | None:
        """The member's name for a path, absolute or not, in any case; None where there is none."""
        return self._by_lower.get(_plain(path).lower())

    def named(self, *endings: str) -> Iterator[str]:
        """The names that end so, whatever the case."""
        return (name for name in self.names if name.lower().endswith(endings))

    def read(self, name: str) -> bytes:
        """The member's bytes.

        Raises:
            UnreadableError: a password, a broken member, or one that unpacks to more than the limits allow.
        """
        info = self._infos[name]
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableError(f"{self.name}: {name} needs a password: unlock it first", reason="password")
        try:
            with self._zip.open(info) as member:
                return self._limited(member, info, name)
        except UnreadableError:
            raise
        except _BROKEN as error:
            raise UnreadableError(f"{self.name}: {name} is damaged ({error})", reason="broken_zip") from None

    def _limited(self, member: object, info: zipfile.ZipInfo, name: str) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while piece := member.read(_PIECE):  # type: ignore[attr-defined]
            size += len(piece)
            self._left -= len(piece)
            bomb = size > RATIO_FREE_SIZE and size > HIGHEST_RATIO * max(info.compress_size, 1)
            if bomb or size > LARGEST_MEMBER or self._left < 0:
                raise UnreadableError(f"{self.name}: {name} unpacks to too much: refused", reason="zip_bomb")
            pieces.append(piece)
        return b"".join(pieces)


def _plain(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
    return "/".join(parts)


def _readable_name(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("gb18030")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return info.filename
