"""The models of a process: what answers, what reads, what embeds. Each is loaded when it is first used."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from foundation.errors import RemembrancerError, UnavailableError
from foundation.model_port import Model
from remembrancer.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from invoices.readers.rescue import Rescue
    from memory.embedders import Embedder
    from memory.model import Message, Proposal
    from memory.patterns import Pattern
    from memory.reading import Extractor, Situation
    from memory.reflecting import Reflector

_OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
"""Local endpoints need no key, but the client wants a text."""


def chat_model(settings: Settings) -> Model | None:
    """What answers in conversations; None when neither a key nor an endpoint is configured."""
    return Model(make=lambda: _chat(settings), calls=settings.model_budget) if settings.has_model else None


def model_reader(settings: Settings) -> "Extractor | None":
    """What reads the messages that the rules leave unclear; None without a model."""
    if not settings.has_model:
        return None
    made: dict[str, object] = {}

    def read(message: "Message", situation: "Situation") -> "Sequence[Proposal]":
        from memory.model_extract import ModelExtractor
        from memory.reading import context_of
        from memory.tokenizer import is_chinese
        from prompts import load

        lang = "zh" if is_chinese(message.content) else "en"
        if lang not in made:
            made[lang] = ModelExtractor(
                model=_chat(settings),
                instructions=load("extract", lang).fill("instructions"),
                method=settings.model_method,
                budget=settings.model_budget,
            )
        extractor = made[lang]
        assert isinstance(extractor, ModelExtractor)
        try:
            return extractor.propose(message, context=context_of(situation, settings.zone))
        except RemembrancerError:
            raise
        except Exception as error:
            # What a model writes may break any parser; the message stays unread and is tried again.
            raise UnavailableError(f"the model's answer can't be read ({type(error).__name__})") from error

    return read


def model_reflector(settings: Settings) -> "Reflector | None":
    """What sees patterns in what was said; None without a model."""
    if not settings.has_model:
        return None

    def reflect(turns: "Sequence[Message]") -> "Sequence[Pattern]":
        from memory.model_patterns import ModelReflector
        from memory.tokenizer import is_chinese
        from prompts import load

        lang = "zh" if any(is_chinese(turn.content) for turn in turns[-5:]) else "en"
        try:
            return ModelReflector(model=_chat(settings), instructions=load("reflect", lang).fill("instructions"))(turns)
        except RemembrancerError:
            raise
        except Exception as error:
            raise UnavailableError(f"the model can't reflect ({type(error).__name__}): run it again later") from error

    return reflect


def invoice_rescue(settings: Settings, model: Model | None) -> "Rescue | None":
    """What reads invoices of an unknown form; None without a model."""
    if model is None:
        return None
    from invoices.readers.model_reader import ModelReader
    from invoices.readers.rescue import Rescue
    from prompts import load

    def ask(prompt: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        titled = {"title": "invoice_fields", "description": "Fields of one invoice, each with its quote.", **schema}

        def call(chat: "BaseChatModel") -> Any:
            return chat.with_structured_output(titled, method=settings.model_method).invoke(prompt)

        answer = model.call(call)
        return answer if isinstance(answer, Mapping) else {}

    lang = "en" if settings.lang == "en" else "zh"
    return Rescue(ModelReader(ask, load("read_invoice", lang).fill("instructions")))


def embedder(settings: Settings) -> "Embedder | None":
    """What makes vectors; None for keywords only.

    Raises:
        SettingsError: the embedder isn't installed.
    """
    from memory.embedders import by_name, openai_compatible

    if settings.embedder != "openai":
        return by_name(settings.embedder)
    return openai_compatible(
        model=settings.embedder_model,
        dimension=settings.embedder_dimension,
        base_url=settings.openai_base_url or _OPENAI,
        api_key=settings.openai_api_key.get_secret_value() or _NO_KEY,
    )


def _chat(settings: Settings) -> "BaseChatModel":
    from langchain_openai import ChatOpenAI

    from remembrancer.veiled import VeiledChat

    maker = VeiledChat if settings.mask_for_model else ChatOpenAI
    return maker(
        model=settings.model,
        api_key=settings.openai_api_key.get_secret_value() or _NO_KEY,  # type: ignore[arg-type] # it takes a text, too
        base_url=settings.openai_base_url or None,
        timeout=settings.model_timeout,
        max_retries=settings.model_retries,
        logprobs=True if settings.model_logprobs else None,
    )
