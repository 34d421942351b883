"""The shapes of other programs' exports, as far as they are read; whatever else stands in them is passed over."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from foundation.ids import derived_id


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class _Author(_Shape):
    role: str | None = None


class _Parts(_Shape):
    parts: list[Any] | None = None
    """Texts, and dicts for pictures and files."""


class _ChatGptMessage(_Shape):
    id: str | None = None
    author: _Author | None = None
    create_time: float | str | None = None
    content: _Parts | None = None
    metadata: dict[str, Any] | None = None

    @property
    def role(self) -> str:
        """Who said it; empty where that isn't told."""
        return (self.author.role if self.author else None) or ""

    @property
    def text(self) -> str:
        """Its texts, without pictures and files."""
        parts = (self.content.parts if self.content else None) or []
        return "\n".join(part for part in parts if isinstance(part, str)).strip()

    @property
    def is_hidden(self) -> bool:
        """Whether the program said it in the person's name: custom instructions and the like."""
        return bool((self.metadata or {}).get("is_visually_hidden_from_conversation"))


class _Node(_Shape):
    message: _ChatGptMessage | None = None
    parent: str | None = None
    children: list[str] = []


class ChatGpt(_Shape):
    """One conversation of ChatGPT: a tree of messages, of which one branch was seen last."""

    conversation_id: str | None = None
    id: str | None = None
    title: str | None = None
    create_time: float | str | None = None
    current_node: str | None = None
    mapping: dict[str, _Node]

    @property
    def thread(self) -> str:
        """Which thread it becomes."""
        return f"chatgpt:{self.conversation_id or self.id or derived_id('chat', self.title or '')}"

    @property
    def last_leaf(self) -> str | None:
        """Where the last branch ends, for a file that doesn't say which one was seen."""
        leaves = [name for name, node in self.mapping.items() if not node.children]
        return leaves[-1] if leaves else None


class _Block(_Shape):
    type: str | None = None
    text: str | None = None


class _ClaudeMessage(_Shape):
    uuid: str | None = None
    sender: str = ""
    text: str | None = None
    content: list[_Block] | None = None
    created_at: str | None = None

    @property
    def words(self) -> str:
        """Its texts; of old exports the one text."""
        blocks = [block.text or "" for block in self.content or [] if block.type == "text"]
        return ("\n".join(blocks) or self.text or "").strip()


class Claude(_Shape):
    """One conversation of Claude."""

    uuid: str | None = None
    name: str | None = None
    created_at: str | None = None
    chat_messages: list[_ClaudeMessage]

    @property
    def thread(self) -> str:
        """Which thread it becomes."""
        return f"claude:{self.uuid or derived_id('chat', self.name or '')}"


class Mem0(_Shape):
    """One memory of mem0."""

    id: str | None = None
    memory: str
    user_id: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @field_validator("metadata", mode="before")
    @classmethod
    def _none_is_empty(cls, told: Any) -> Any:
        return told or {}
