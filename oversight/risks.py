"""Kinds of steps by what they risk. One table: a new kind is one entry and a test."""

from collections.abc import Mapping
from dataclasses import dataclass

from oversight.action import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """What a kind of step means for the triggers."""

    irreversible: bool
    """It can't be taken back: it runs once, and a crash never repeats it unseen."""
    always_asks: bool = False
    """A person decides every such step."""
    by_amount: bool = False
    """The limit of the amount decides; without an amount that can be compared a person does."""
    message: Message


RISKS: Mapping[str, Risk] = {
    "none": Risk(irreversible=False, message={"zh": "可撤销", "en": "Can be undone"}),
    "change": Risk(irreversible=True, message={"zh": "改动无法撤销", "en": "A change that can't be undone"}),
    "message": Risk(irreversible=True, message={"zh": "发出后无法收回", "en": "What is sent can't be called back"}),
    "transfer": Risk(irreversible=True, by_amount=True, message={"zh": "转出资金", "en": "Money leaves"}),
    "deletion": Risk(
        irreversible=True, always_asks=True, message={"zh": "删除数据须由人决定", "en": "A person decides deletions"}
    ),
    "signing": Risk(
        irreversible=True, always_asks=True, message={"zh": "签署须由人决定", "en": "A person decides signatures"}
    ),
}
