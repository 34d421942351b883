"""The composition root: builds the services from the settings, once a process and set of settings."""

import getpass
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from foundation.clock import Clock, utc_now
from foundation.database import assert_durable, open_engine
from foundation.journal import Journal
from foundation.schema import upgrade
from invoices.parts import PartReader
from nodes.services import Services
from remembrancer.models import chat_model, embedder, invoice_rescue, model_reader
from remembrancer.settings import Settings, load_settings
from remembrancer.tooling import toolbox_of

if TYPE_CHECKING:
    from memory.embedders import Embedder
    from memory.service import Memory
    from memory.vector_index import VectorIndex


def open_services(
    settings: Settings | None = None, clock: Clock = utc_now, *, tools: Sequence[Any] | None = None
) -> Services:
    """The services for these settings (the environment's where none are given), the database brought up to date.

    `tools` are what the assistant may do, instead of those that the settings name: LangChain tools or plain functions,
    marked with `oversight.guarded.guarded`.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
        StorageError: the database can't be opened, is newer than this program, or isn't durable.
    """
    settings = settings or load_settings()
    services = _services(settings, clock)
    return services if tools is None else replace(services, tools=toolbox_of(settings, tools))


@lru_cache(maxsize=8)
def _services(settings: Settings, clock: Clock) -> Services:
    engine = open_engine(settings.url)
    upgrade(engine)
    assert_durable(engine)
    model = chat_model(settings)
    return Services(
        engine=engine,
        journal=Journal(engine, settings.home.absolute() / "heads", clock),
        clock=clock,
        zone=settings.zone,
        tenant=settings.tenant,
        account=account_name(),
        policy_file=settings.policy,
        memory=_once(lambda: _memory(engine, settings, clock)),
        model=model,
        parts=PartReader(invoice_rescue(settings, model)),
        reader=model_reader(settings),
        ask_by=settings.ask_by,
        tools=toolbox_of(settings),
    )


def _memory(engine: Engine, settings: Settings, clock: Clock) -> "Memory":
    from memory.reading import by_rules
    from memory.service import Memory

    chosen = embedder(settings)
    return Memory(
        engine,
        embedder=chosen,
        vector_index=_vector_index(settings, chosen),
        extractor=by_rules(settings.zone),
        clock=clock,
        keeps_erasures=True,
    )


def _vector_index(settings: Settings, chosen: "Embedder | None") -> "VectorIndex | None":
    if not settings.qdrant_url or chosen is None:
        return None
    from memory.qdrant import Qdrant

    return Qdrant.open(settings.qdrant_url, fingerprint=chosen.fingerprint, dimension=chosen.dimension)


def _once(make: "Callable[[], Memory]") -> "Callable[[], Memory]":
    """Calls `make` at the first call only, whichever thread comes first."""
    made: list[Memory] = []
    lock = Lock()

    def get() -> "Memory":
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get


def account_name() -> str:
    """The name of the account that runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
