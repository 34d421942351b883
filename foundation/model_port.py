"""A chat model within a budget: every failure of a provider becomes one error of ours. Knows no prompt."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from foundation.errors import UnavailableError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

T = TypeVar("T")


@dataclass(kw_only=True)
class Model:
    """A chat model and the calls that may still be made; timeout and retries are the model's own."""

    make: "Callable[[], BaseChatModel]"
    """Makes the model at its first use: its client takes long to load."""
    calls: int
    """Calls that this process may still make."""
    _chat: "BaseChatModel | None" = field(default=None, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def call(self, work: Callable[["BaseChatModel"], T]) -> T:
        """Do one call.

        Raises:
            UnavailableError: the budget is used up, or the provider doesn't answer, or answers with an error.
        """
        with self._lock:
            if self.calls <= 0:
                raise UnavailableError(
                    "the budget of model calls is used up: raise REMEMBRANCER_MODEL_BUDGET, or start again"
                )
            self.calls -= 1
            self._chat = self._chat or self.make()
        try:
            return work(self._chat)
        except Exception as error:
            # Providers and their clients raise what they like; none of it may end a conversation.
            raise UnavailableError(
                f"the model doesn't answer ({type(error).__name__}): check its URL, key and name"
            ) from error
