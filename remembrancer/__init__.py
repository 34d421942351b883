"""Remembers people well and asks them at the right moment.

The public names; each is imported when it is first used, so that a command line that needs one doesn't load them all.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foundation.process import prepare_process

prepare_process()

if TYPE_CHECKING:
    from foundation.errors import RemembrancerError
    from graphs.acting import add_acting
    from graphs.assistant import build_assistant
    from graphs.invoice_audit import build_invoice_audit
    from graphs.invoice_review import build_invoice_review
    from graphs.state import ActingState
    from memory.model import Message
    from memory.scope import Scope
    from memory.service import Memory
    from oversight.checkpoints import open_saver
    from oversight.guarded import guarded
    from remembrancer.office import Office, open_office
    from remembrancer.settings import Settings, load_settings
    from remembrancer.wiring import open_services

_HOMES = {
    "ActingState": "graphs.state",
    "Memory": "memory.service",
    "Message": "memory.model",
    "Office": "remembrancer.office",
    "RemembrancerError": "foundation.errors",
    "Scope": "memory.scope",
    "Settings": "remembrancer.settings",
    "add_acting": "graphs.acting",
    "build_assistant": "graphs.assistant",
    "build_invoice_audit": "graphs.invoice_audit",
    "build_invoice_review": "graphs.invoice_review",
    "guarded": "oversight.guarded",
    "load_settings": "remembrancer.settings",
    "open_office": "remembrancer.office",
    "open_saver": "oversight.checkpoints",
    "open_services": "remembrancer.wiring",
}

__all__ = [
    "ActingState",
    "Memory",
    "Message",
    "Office",
    "RemembrancerError",
    "Scope",
    "Settings",
    "add_acting",
    "build_assistant",
    "build_invoice_audit",
    "build_invoice_review",
    "guarded",
    "load_settings",
    "open_office",
    "open_saver",
    "open_services",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'remembrancer' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
