"""The last look before something is written: who says it, and whether words that nobody screened give orders.

Trust goes by the speaker. A person and a reviewer are believed; a document is read with the stricter table; what a tool
or the assistant itself says is never a memory of a person, whoever asks for it to be kept.
"""

from dataclasses import replace

from memory.model import Message, Proposal, Speaker
from memory.scope import Scope
from memory.screening import Suspicion, screen

_WRITES = ("add", "supersede", "return", "revise")
_NEVER_OF_A_PERSON: frozenset[Speaker] = frozenset(("tool", "assistant"))
NOT_HIS_WORDS = Suspicion("screen.speaker", "only the person's own words write his memory")


def admitted(message: Message, proposal: Proposal) -> Proposal:
    """The proposal as it is, or as one to be quarantined where its words can't be trusted."""
    if proposal.verb not in _WRITES:
        return proposal
    # The person's own sentences were screened when they were read, with what stands around them.
    if message.role == "user" and proposal.content in message.content:
        return proposal
    suspicion = screen(proposal.content, message.role)
    return proposal if suspicion is None else quarantined(proposal, suspicion)


def may_write(scope: Scope, speaker: Speaker) -> bool:
    """Whether anything new may be written to this pool on this speaker's word; what is known he may repeat."""
    return scope.kind != "user" or speaker not in _NEVER_OF_A_PERSON


def quarantined(proposal: Proposal, suspicion: Suspicion) -> Proposal:
    """The proposal held back: it takes no slot, replaces nothing and waits for a reviewer."""
    return replace(
        proposal,
        verb="quarantine",
        rule=suspicion.rule,
        reason=suspicion.reason,
        importance="low",
        slot=None,
        value=None,
    )
