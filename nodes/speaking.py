"""What the person hears: the text with what must be said beside it, bounded, and kept in the transcript."""

from typing import Any

from langchain_core.messages import AIMessage
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from foundation.ids import derived_id
from memory.applying import storable
from memory.model import Message
from memory.short_term import LIMITS, clipped
from nodes.replies import remarks
from nodes.services import Services
from nodes.talk import Talk


def with_remarks(text: str, state: dict[str, Any], talk: Talk) -> str:
    """The text, and behind it what failed or was held back and the open question, as far as it doesn't say so."""
    said = text.strip()
    added = [line for line in remarks(state, talk) if line not in said]
    return "\n\n".join([said, *added] if said else added)


def spoken(text: str, state: dict[str, Any], talk: Talk, services: Services, *, message_id: str = "") -> AIMessage:
    """The text as the reply: a message of its own, within the bounds of a message, kept as it is said."""
    own = derived_id("reply", talk.thread_id, *(str(each.id) for each in state["messages"]))
    message = AIMessage(clipped(storable(text), LIMITS.message_tokens), id=message_id or own)
    _keep(message, talk, services)
    return message


def _keep(message: AIMessage, talk: Talk, services: Services) -> None:
    """The reply in the transcript, for "this one" and "he"; never read for memories."""
    try:
        said = Message(str(message.id), talk.thread_id, "assistant", message.text, talk.now)
        services.memory().keep(talk.scope, said, read=True, now=talk.now)
    except (RemembrancerError, SQLAlchemyError):
        # The answer matters more than its copy; what doesn't work is said in it.
        return
