"""Settings, from the environment (prefix `REMEMBRANCER_`) and a `.env` file. A wrong value stops the start."""

from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from foundation.errors import SettingsError


class Settings(BaseSettings):
    """Where the data live, whose they are, and how the program talks."""

    model_config = SettingsConfigDict(env_prefix="REMEMBRANCER_", env_file=".env", extra="ignore", frozen=True)

    home: Path = Field(default=Path(".remembrancer"), description="Folder of the data.")
    database_url: str = Field(default="", description="Database; empty: a SQLite file in the home folder.")
    policy: str = Field(default="", description="Policy file used where a command names none.")
    tenant: str = Field(default="default", min_length=1, description="The company whose data this process works on.")
    time_zone: str = Field(default="Asia/Shanghai", description='Time zone in which "today" is a day.')
    lang: Literal["", "zh", "en"] = Field(default="", description="Language of the output; empty: by locale.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="Least level logged."
    )

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{value!r} is no time zone: use a name such as Asia/Shanghai or Europe/Berlin") from None
        return value

    @property
    def zone(self) -> ZoneInfo:
        """The time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def url(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.home.absolute() / 'remembrancer.db'}"

    @property
    def checkpoints(self) -> Path:
        """The checkpoint file."""
        return self.home.absolute() / "checkpoints.db"


def load_settings(**overrides: object) -> Settings:
    """The settings in force.

    Raises:
        SettingsError: a setting has a value that isn't allowed; names it and says what is.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsError(f"REMEMBRANCER_{name}: {first['msg']} (it is {first['input']!r})") from None
