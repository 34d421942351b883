"""The assistant's tools: where they come from, and the limits in force for what it does with them."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from foundation.errors import SettingsError, UsageError
from oversight.action import Limits

if TYPE_CHECKING:
    from oversight.guarded import Toolbox
    from remembrancer.settings import Settings


class ActionLimits(BaseModel):
    """What the assistant may do without asking; each a variable `REMEMBRANCER_ACTIONS__NAME`, lists as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    amount: Decimal | None = Field(default=Decimal(500), ge=0, description="Transfers of this size or more ask.")
    currency: str = Field(default="", description="What the amounts are in; others can't be compared and ask.")
    budget: Decimal | None = Field(default=None, ge=0, description="What may leave in 24 hours without asking.")
    text_length: int | None = Field(default=None, gt=0, description="Longer texts ask, in characters.")
    forbidden: tuple[str, ...] = Field(default=(), description="Texts with one of these words ask.")
    recipients: tuple[str, ...] = Field(default=(), description="Whoever else gets something asks; none: anyone.")
    confidence: float = Field(default=0.8, ge=0, le=1, description="Below this asks.")
    attempts: int = Field(default=3, ge=1, description="The same action for this many times asks.")
    steps: int = Field(default=25, ge=1, description="Each so-many-th action in one turn asks.")

    def limits(self) -> Limits:
        """The limits as the triggers read them."""
        return Limits(**self.model_dump())


def toolbox_of(settings: "Settings", tools: Sequence[Any] | None = None) -> "Toolbox | None":
    """The tools that are given or that the settings name, under the limits of the settings; None where there are none.

    Raises:
        SettingsError: the entry can't be loaded, or what it names are no tools.
    """
    if tools is None and not settings.tools and not settings.weigh_answers:
        return None
    # A process that only audits loads no tools.
    from oversight.guarded import Toolbox

    chosen = _load(settings.tools) if tools is None and settings.tools else tools or ()
    try:
        return Toolbox.of(chosen, settings.actions.limits())
    except (UsageError, ValueError, TypeError) as error:
        raise SettingsError(f"REMEMBRANCER_TOOLS: {settings.tools or 'the given tools'}: {error}") from None


def _load(entry: str) -> Sequence[Any]:
    where, _, name = entry.rpartition(":")
    if not where or not name:
        raise SettingsError(f"REMEMBRANCER_TOOLS: write module:list or file.py:list (it is {entry!r})")
    try:
        found = getattr(_module(where), name)
    except (ImportError, OSError, AttributeError, SyntaxError) as error:
        raise SettingsError(f"REMEMBRANCER_TOOLS: {entry} can't be loaded ({error})") from None
    if not isinstance(found, list | tuple):
        raise SettingsError(f"REMEMBRANCER_TOOLS: {entry} is no list of tools")
    return found


def _module(where: str) -> ModuleType:
    """The module of this name or file; one of the working folder is found, too."""
    if not where.endswith(".py"):
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.append(here)
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    if spec is None or spec.loader is None:
        raise ImportError(f"{where} is no Python file")
    module = importlib.util.module_from_spec(spec)
    # Annotations of the tools are looked up in the module's own names.
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
    return module
