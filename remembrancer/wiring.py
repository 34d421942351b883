"""The composition root: builds the services from the settings, once a process and set of settings."""

import getpass
from functools import lru_cache

from foundation.clock import utc_now
from foundation.database import assert_durable, open_engine
from foundation.journal import Journal
from foundation.schema import upgrade
from nodes.services import Services
from remembrancer.settings import Settings, load_settings


@lru_cache(maxsize=8)
def open_services(settings: Settings | None = None) -> Services:
    """The services for these settings (the environment's where none are given), the database brought up to date.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
        StorageError: the database can't be opened, is newer than this program, or isn't durable.
    """
    settings = settings or load_settings()
    engine = open_engine(settings.url)
    upgrade(engine)
    assert_durable(engine)
    return Services(
        engine=engine,
        journal=Journal(engine, settings.home.absolute() / "heads", utc_now),
        clock=utc_now,
        zone=settings.zone,
        tenant=settings.tenant,
        account=account_name(),
        policy_file=settings.policy,
    )


def account_name() -> str:
    """The name of the account that runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
