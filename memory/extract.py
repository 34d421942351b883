"""From a message to proposals, by rules alone: what to remember, to replace, to forget, or to hold back.

Only the user's own words count. Says nothing about what is already remembered; `resolve` does. Here the clauses of a
message are put together; one clause is read by `clauses`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from foundation.masking import mask
from memory import changes, clauses, corrections, revisions, supplements
from memory.drafts import Context, secret_only
from memory.forget_requests import forget_request
from memory.holding import orders
from memory.model import Message, Proposal, Verb
from memory.perceive import Statement, perceive
from memory.rules import BARE, FAMILY, OTHER, SELF, WE
from memory.speech import LONGEST_READ
from memory.standing import STATES
from memory.subjects import Subject, who

__all__ = ["Context", "propose"]


def propose(message: Message, *, context: Context) -> list[Proposal]:
    """What the rules find in a message, in the order it was said; empty for chatter and for any speaker but the user.

    Args:
        message: the turn; its first 20,000 characters are read, secrets hidden first.
        context: earlier turns for references, and the person's zone.
    """
    if message.role != "user":
        return []
    message = replace(message, content=message.content[:LONGEST_READ])
    held, ordered = orders(message, context)
    message = replace(message, content=mask(message.content))
    statements = perceive(message)
    if statements and all(statement.speech == "do not remember" for statement in statements):
        return []
    kept = [statement for statement in statements if statement.sentence not in held]
    found = [*ordered, *_from(kept, message, context)]
    return _distinct(proposal for proposal in found if not secret_only(proposal))


def _from(statements: list[Statement], message: Message, context: Context) -> list[Proposal]:
    found: list[Proposal] = []
    correcting = corrections.corrects(message.content)
    about = Subject(SELF, "user", "")
    turned, told = revisions.revised(statements, message, context)
    forgetting = {s.sentence for s in statements if s.speech == "forget request"} - told
    if not (turned or forgetting):
        turned, told = changes.changed(statements, message.content)
    found += turned
    statements = [each for each in statements if each.sentence not in told]
    for index, statement in enumerate(statements):
        if statement.speech == "forget request":
            found.append(forget_request(statement, _sentence(statements, statement)))
        if statement.speech != "statement" or statement.sentence in forgetting or corrections.is_rest(statement):
            about = _carried(statement, about)
            continue
        subject = _subject(statement, about)
        about = subject if subject.who != BARE else about
        said_before = "，".join(s.text for s in statements[:index])
        proposals = _read(statement, subject, message, context, said_before)
        if not proposals and correcting:
            proposals = corrections.elliptic(statement, message, context, _plain(context))
        proposals = _beside(proposals, statement) or _added(statement, statements, found, message, context)
        proposals = [corrections.as_correction(p) if correcting and _replaces(p) else p for p in proposals]
        same_sentence = index > 0 and statements[index - 1].sentence == statement.sentence
        found = _one_choice(found, proposals, statement) if same_sentence else found + proposals
    if correcting and not found and statements:
        last = statements[-1]
        return corrections.remainder(last, _sentence(statements, last)) if last.speech == "statement" else []
    return found


def _beside(proposals: list[Proposal], statement: Statement) -> list[Proposal]:
    """What is told as one thing more takes nothing's place: "I also work at a bakery"."""
    if not supplements.adds(statement):
        return proposals
    return [replace(p, exception=True) if p.slot and p.slot.attribute in STATES else p for p in proposals]


def _added(
    statement: Statement, statements: list[Statement], found: list[Proposal], message: Message, context: Context
) -> list[Proposal]:
    """An addition or an exception to what was said just before, which leaves out what they share."""
    before = supplements.said_before(found, context, _plain(context))

    def reread(whole: Statement) -> list[Proposal]:
        return _read(whole, who(whole.text, whole.language), message, context, "")

    return (
        supplements.excepted(statement, _from_here(statements, statement), before)
        or supplements.supplemented(statement, before, reread)
        or supplements.narrowed(statement, before)
    )


def _from_here(statements: list[Statement], statement: Statement) -> str:
    """The rest of the sentence from this clause on."""
    return _sentence(statements[statements.index(statement) :], statement)


def _one_choice(found: list[Proposal], added: list[Proposal], statement: Statement) -> list[Proposal]:
    """Joins "Go everywhere, no more Java" into one choice: what is chosen takes in what is dropped."""
    if not found or not added or not (_is_choice(found[-1]) and _is_choice(added[0])):
        return found + added
    last, new = found[-1], added[0]
    if last.polarity == new.polarity:
        return found + added
    chosen = last if last.polarity else new
    joint = "，" if statement.language == "zh" else ", "
    verb: Verb = "supersede" if "supersede" in {last.verb, new.verb} else "add"
    merged = replace(chosen, verb=verb, content=f"{last.content}{joint}{new.content}", importance="critical")
    return [*found[:-1], merged, *added[1:]]


def _is_choice(proposal: Proposal) -> bool:
    return proposal.slot is not None and proposal.slot.attribute == "programming_language"


def _read(
    statement: Statement, subject: Subject, message: Message, context: Context, said_before: str
) -> list[Proposal]:
    return clauses.read(statement, subject, message, context, said_before=said_before, plain=_plain(context))


def _plain(context: Context) -> Callable[[Message], list[Proposal]]:
    return lambda message: propose(message, context=Context(zone=context.zone, now=context.now))


def _replaces(proposal: Proposal) -> bool:
    return proposal.category != "conversation_history" or proposal.verb == "supersede"


def _carried(statement: Statement, about: Subject) -> Subject:
    subject = who(statement.text, statement.language)
    return about if subject.who == BARE else subject


def _subject(statement: Statement, about: Subject) -> Subject:
    """The clause's subject; one that leaves it out speaks of whom the clause before spoke."""
    subject = who(statement.text, statement.language)
    if subject.who == BARE and about.who in {OTHER, FAMILY, WE}:
        return Subject(about.who, about.name, subject.predicate)
    return subject


def _sentence(statements: list[Statement], statement: Statement) -> str:
    joint = "，" if statement.language == "zh" else ", "
    return joint.join(s.quote for s in statements if s.sentence == statement.sentence)


def _distinct(proposals: Iterable[Proposal]) -> list[Proposal]:
    seen: set[tuple[object, ...]] = set()
    kept: list[Proposal] = []
    for proposal in proposals:
        key = (proposal.verb, proposal.slot or proposal.content, proposal.value, proposal.polarity, proposal.topic)
        if key not in seen:
            seen.add(key)
            kept.append(proposal)
    return kept
