"""Checkpoints encrypted at rest, each row bound to its place.

A row is AES-EAX over langgraph's serialization, with its place - thread, namespace, checkpoint, and for a task's result
the task and channel - as associated data. Once a key is set, a row in plain text, a changed one, and one moved to
another place are refused: an "approve" copied to another thread must not be taken for an answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from Crypto.Cipher import AES
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from foundation.errors import StorageError

KEY_BYTES = 32
CIPHER = "aes-eax-placed"
_NONCE = _TAG = 16
_LENGTH = 4

NEWEST_ROW = "SELECT type, checkpoint FROM checkpoints ORDER BY rowid DESC LIMIT 1"

Place = tuple[str, ...]
"""Thread, namespace and checkpoint; for a task's result also the task and the channel."""

_writing: ContextVar[Iterator[Place] | None] = ContextVar("places of the rows being written", default=None)
_read: ContextVar[list[Place] | None] = ContextVar("places that the rows being read were written at", default=None)


class _PlacedAes(CipherProtocol):
    def __init__(self, key: bytes) -> None:
        self._key = key

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        places = _writing.get()
        if places is None:
            raise RuntimeError("a row is sealed without its place: wrap the writing in `writing_at`")
        place = _packed(next(places))
        cipher = AES.new(self._key, AES.MODE_EAX, mac_len=_TAG)
        cipher.update(place)
        ciphertext, tag = cipher.encrypt_and_digest(plaintext)
        return CIPHER, len(place).to_bytes(_LENGTH) + place + cipher.nonce + tag + ciphertext

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        if ciphername != CIPHER:
            raise StorageError(f"a checkpoint is encrypted by {ciphername!r}: this program knows {CIPHER!r} only")
        length = int.from_bytes(ciphertext[:_LENGTH])
        place, rest = ciphertext[_LENGTH : _LENGTH + length], ciphertext[_LENGTH + length :]
        nonce, tag, sealed = rest[:_NONCE], rest[_NONCE : _NONCE + _TAG], rest[_NONCE + _TAG :]
        try:
            cipher = AES.new(self._key, AES.MODE_EAX, nonce=nonce, mac_len=_TAG)
            cipher.update(place)
            plain = cipher.decrypt_and_verify(sealed, tag)
        except ValueError:
            raise StorageError(
                "a checkpoint can't be decrypted: REMEMBRANCER_CHECKPOINT_KEY is not the key it was written with, or"
                " the row was changed"
            ) from None
        _note(place)
        return plain


class SealingSerializer(EncryptedSerializer):
    """`EncryptedSerializer` that reads no plain rows."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value.

        Raises:
            StorageError: the row is plain, was changed, or was written with another key.
        """
        if "+" not in data[0]:
            raise StorageError(
                "a checkpoint is in plain text though a key is set: run `remembrancer checkpoints encrypt`"
            )
        return super().loads_typed(data)

    def seal(self, kind: str, plain: bytes) -> tuple[str, bytes]:
        """A row as langgraph serialized it, sealed."""
        cipher, sealed = self.cipher.encrypt(plain)
        return f"{kind}+{cipher}", sealed


def sealing(key: bytes) -> SealingSerializer:
    """Langgraph's serialization, sealed with this key of 32 bytes."""
    return SealingSerializer(_PlacedAes(key), JsonPlusSerializer())


def still_sealing(serde: SerializerProtocol) -> SerializerProtocol:
    """The serializer that langgraph derived from ours, refusing plain rows as ours does."""
    if isinstance(serde, EncryptedSerializer) and not isinstance(serde, SealingSerializer):
        return SealingSerializer(serde.cipher, serde.serde)
    return serde


@contextmanager
def writing_at(places: Iterable[Place]) -> Iterator[None]:
    """Seal the rows that are written meanwhile at these places, in this order."""
    token = _writing.set(iter(places))
    try:
        yield
    finally:
        _writing.reset(token)


@contextmanager
def reading_places() -> Iterator[list[Place]]:
    """The places at which the rows that are read meanwhile were sealed; none where they are plain."""
    places: list[Place] = []
    token = _read.set(places)
    try:
        yield places
    finally:
        _read.reset(token)


def checkpoint_places(found: CheckpointTuple) -> list[Place]:
    """Where this checkpoint and its tasks' results stand."""
    where = found.config["configurable"]
    place = (str(where["thread_id"]), where.get("checkpoint_ns", ""), where["checkpoint_id"])
    return [place, *((*place, task, channel) for task, channel, _ in found.pending_writes or ())]


def require_in_place(found: CheckpointTuple, sealed_at: Sequence[Place]) -> None:
    """Refuse rows that were sealed at another place than they stand at.

    Raises:
        StorageError: a row was moved.
    """
    if sealed_at and list(sealed_at) != checkpoint_places(found):
        thread_id = found.config["configurable"]["thread_id"]
        raise StorageError(f"a checkpoint of thread {thread_id} was moved there from another place: restore a backup")


def require_fitting_key(newest: Sequence[Any] | None, serde: SerializerProtocol, key: bytes | None) -> None:
    """Tell at the opening, by the newest row, that a key is missing, is another, or that the file is still plain.

    Raises:
        StorageError: the key doesn't fit the file.
    """
    if newest is None:
        return
    if key is None and "+" in newest[0]:
        raise StorageError("the checkpoints are encrypted: set REMEMBRANCER_CHECKPOINT_KEY")
    if key is not None:
        serde.loads_typed((newest[0], newest[1]))


def _packed(place: Place) -> bytes:
    return b"".join(len(part := each.encode()).to_bytes(_LENGTH) + part for each in place)


def _note(packed: bytes) -> None:
    noted = _read.get()
    if noted is None:
        return
    parts: list[str] = []
    while packed:
        length = int.from_bytes(packed[:_LENGTH])
        parts.append(packed[_LENGTH : _LENGTH + length].decode())
        packed = packed[_LENGTH + length :]
    noted.append(tuple(parts))
