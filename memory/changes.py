"""Changes of mind: one part of a message says what is over, another what holds now; together they are one change.

"I used to like tea, but now I prefer coffee", "我对恐怖片改主意了：现在喜欢看了". Knows nothing of what is remembered:
the proposal names what it stands instead of, and `resolve` finds the memory meant.
"""

import re
from dataclasses import dataclass, replace

from memory.drafts import draft
from memory.lexicon import is_chinese
from memory.model import Proposal, Slot
from memory.perceive import Statement
from memory.rules import pattern
from memory.speech import blank

_EN_LIKE = r"(?:lik(?:e|ed)|lov(?:e|ed)|enjoy(?:ed)?|prefer(?:red)?|ador(?:e|ed)|favou?r(?:ed)?|(?:am|'m|was|being) (?:\w+ )?(?:into|fond of|keen on|a (?:big |huge |real )?fan of))"
_EN_HATE = r"(?:dislik(?:e|ed)|hat(?:e|ed)|loath(?:e|ed)|avoid(?:ed)?|(?:can't|cannot|couldn't) stand|(?:don't|do not|didn't|did not|don’t) (?:\w+ )?(?:like|love|enjoy|care for)|(?:am|'m|was) (?:really )?not (?:really )?(?:into|fond of|keen on|a (?:big |huge |real )?fan of))"
_EN_ADV = r"(?:\s*(?:now|these days|nowadays|actually|really|rather|instead|lately|currently|recently|honestly|only|much|just|have come to|'ve come to|’ve come to|have grown to|'ve grown to|have started to|'ve started to)\b,?)*"
_ZH_LIKE = r"(?:喜欢|爱|偏爱|偏好|迷上|爱上|钟爱|中意)(?:上|看|吃|喝|听|玩|用|去|穿)?"
_ZH_HATE = r"(?:不(?:太|怎么|大)?(?:喜欢|爱)|讨厌|反感|受不了)(?:看|吃|喝|听|玩|用|去|穿)?"
_ZH_ADV = r"(?:我|现在|如今|最近|目前|倒是|反而|反倒|其实|更|还是|开始|真的|挺|很|越来越|已经|只|就|才|比较|,|，)*"


@dataclass(frozen=True, slots=True)
class _Part:
    """What one part of a message says: over or holding, liked or disliked (None: it doesn't tell)."""

    over: bool
    what: str
    likes: bool | None
    implied: bool = False
    """Not said to be over, but implied by the opposite taste; what was said to be over goes before."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One way of saying so; its group `x` is what."""

    over: bool
    likes: bool | None
    words: re.Pattern[str]


def _forms(*rows: tuple[bool, bool | None, str]) -> tuple[_Form, ...]:
    return tuple(_Form(over, likes, pattern(rf"^{words}$")) for over, likes, words in rows)


_USES = r"(?:drink|eat|watch|play|listen to|read|wear|use|go to)"
_X = r"(?P<x>.+?)"
_EN_END = r"(?:,? (?:now|these days|nowadays|instead|lately|any ?more|at the moment|right now|more|better|too))*"
_FORMS_EN = _forms(
    (True, True, rf"(?:remember|you know|I (?:said|told you|mentioned))(?: that)? I (?:used to )?(?:really )?{_EN_LIKE} {_X}"),
    (True, False, rf"(?:remember|you know|I (?:said|told you|mentioned))(?: that)? I (?:used to )?(?:really )?{_EN_HATE} {_X}"),
    (True, True, rf"I (?:used to|once|always) (?:really )?(?:be )?(?:{_EN_LIKE}|into|a (?:big )?fan of) {_X}"),
    (True, False, rf"I (?:used to|once|always) (?:really )?{_EN_HATE} {_X}"),
    (True, True, rf"I(?:'m| am)? no longer (?:really )?(?:{_EN_LIKE}|into|fond of|a (?:big )?fan of) {_X}"),
    (True, False, rf"I no longer (?:really )?{_EN_HATE} {_X}"),
    (True, False, rf"I (?:don't|do not|don’t) (?:really )?(?:dislike|hate|loathe|mind|avoid) {_X}(?: any ?more)?"),
    (True, True, rf"I (?:don't|do not|don’t) (?:really )?{_EN_LIKE} {_X} any ?more"),
    (True, True, rf"I(?:'ve| have|’ve) (?:\w+ )?(?:moved on from|gone off|grown out of|outgrown|given up on|lost interest in|had enough of|fallen out of love with|grown tired of|got(?:ten)? tired of|stopped (?:liking|enjoying|loving)) {_X}"),
    (True, False, rf"I(?:'ve| have|’ve) (?:\w+ )?(?:come around to|come round to|warmed (?:up )?to|made (?:my )?peace with|stopped (?:disliking|hating|avoiding)) {_X}"),
    (True, None, rf"I(?:'ve| have|’ve)? (?:\w+ )?(?:changed my (?:mind|opinion|view|taste)s? (?:about|on|of)|reconsidered) {_X}"),
    (True, True, rf"I(?:'m| am|’m) not (?:really )?(?:into|fond of|keen on|a (?:big )?fan of) {_X} any ?more"),
    (True, True, rf"I (?:no longer {_USES} {_X}|(?:don't|do not|don’t) {_USES} (?P<more>.+?) any ?more)"),
    (True, True, rf"{_X} (?:isn't|is not|aren't|are not|isn’t) (?:really )?my (?:thing|cup of tea|style|favou?rites?) any ?more"),
    (True, True, rf"(?:scratch|ignore|disregard|forget) what I (?:said|told you) about (?:liking|loving|enjoying|preferring) {_X}"),
    (True, False, rf"(?:scratch|ignore|disregard) what I (?:said|told you) about (?:disliking|hating) {_X}"),
    (True, None, rf"(?:instead of|rather than|in place of) {_X}"),
    (False, True, rf"(?:now )?it(?:'s| is|’s) {_X} for me{_EN_END}"),
    (False, True, rf"I(?:'m| am|’m)(?: now)? an? {_X} (?:person|lover|fan|drinker){_EN_END}"),
    (False, True, rf"(?:now )?I{_EN_ADV}\s*{_USES} {_X}{_EN_END}"),
    (False, True, rf"what I (?:really )?{_EN_LIKE}{_EN_ADV} is {_X}{_EN_END}"),
    (False, False, rf"what I (?:really )?{_EN_HATE}{_EN_ADV} is {_X}{_EN_END}"),
    (False, True, rf"(?:now )?it(?:'s| is|’s){_EN_ADV} {_X} (?:that )?I{_EN_ADV} {_EN_LIKE}{_EN_END}"),
    (False, False, rf"(?:now )?it(?:'s| is|’s){_EN_ADV} {_X} (?:that )?I{_EN_ADV} {_EN_HATE}{_EN_END}"),
    (False, False, rf"{_EN_ADV}\s*I{_EN_ADV}\s*{_EN_HATE}{_EN_ADV} {_X}{_EN_END}"),
    (False, True, rf"{_EN_ADV}\s*I(?: do)?{_EN_ADV}\s*{_EN_LIKE}{_EN_ADV} {_X}{_EN_END}"),
)  # fmt: skip
_FORMS_ZH = _forms(
    (True, True, rf"(?:我)?(?:之前|以前|上次|先前)?(?:跟你)?说(?:过)?(?:我)?{_ZH_LIKE}{_X}(?:的)?"),
    (True, False, rf"(?:我)?(?:之前|以前|上次|先前)?(?:跟你)?说(?:过)?(?:我)?{_ZH_HATE}{_X}(?:的)?"),
    (True, False, rf"(?:我)?(?:以前|过去|从前|曾经|原来|原先|之前|本来)(?:我)?(?:很|挺|一直|特别|最)?{_ZH_HATE}{_X}(?:的)?"),
    (True, True, rf"(?:我)?(?:以前|过去|从前|曾经|原来|原先|之前|本来)(?:我)?(?:很|挺|一直|特别|最)?{_ZH_LIKE}{_X}(?:的)?"),
    (True, False, rf"(?:我)?(?:现在|已经)*不(?:再)?(?:讨厌|反感){_X}了?"),
    (True, True, rf"(?:我)?(?:现在|已经)*不(?:再|怎么|太)?(?:喜欢|爱)(?:看|吃|喝|听|玩|用)?{_X}了"),
    (True, None, rf"(?:我)?对{_X}(?:的)?(?:看法|想法|态度)?(?:改|变|改变)了?(?:主意|看法|想法|观)?了?"),
    (True, True, rf"(?:我)?(?:对)?{_X}(?:已经)?(?:腻了|没兴趣了|不感兴趣了|厌倦了)"),
    (True, None, rf"(?:不是|与其说是|比起|相比于?){_X}"),
    (False, False, rf"{_ZH_ADV}{_ZH_HATE}(?:的是)?{_X}了?"),
    (False, True, rf"{_ZH_ADV}{_ZH_LIKE}(?:的是)?{_X}了?"),
)  # fmt: skip
_NOW = r"(?=.*\b(?:now|nowadays|these days|lately|currently|instead of|rather than)\b)"
_Y = r"(?P<y>.+?)"
_BOTH = tuple(
    (likes, pattern(rf"^{words}$"))
    for likes, words in (
        (False, rf"(?:.*\b)?it(?:'s| is|’s) not {_X} (?:that )?I (?:really )?{_EN_HATE},? but {_Y}(?: that I .*)?"),
        (True, rf"(?:.*\b)?it(?:'s| is|’s) not {_X} (?:that )?I (?:really )?{_EN_LIKE},? but {_Y}(?: that I .*)?"),
        (True, rf"{_Y} (?:has|have) (?:now )?(?:replaced|taken the place of) {_X} as (?:my|the) .*"),
        (True, rf"{_NOW}{_EN_ADV}\s*(?:I{_EN_ADV}\s*{_EN_LIKE}|my favou?rite \w+ is(?: now)?) {_Y}{_EN_END} (?:over|to|more than|instead of|rather than) {_X}{_EN_END}"),
        (True, rf"{_NOW}{_EN_ADV}\s*I{_EN_ADV}\s*{_EN_LIKE}{_EN_ADV} {_Y},? (?:and )?not {_X}{_EN_END}"),
        (True, rf"(?:我)?(?:比起|相比于?|跟){_X}(?:相比)?(?:我)?(?:现在|如今|最近)(?:我)?(?:更|还是|比较)*{_ZH_LIKE}{_Y}(?:了)?"),
    )
)  # fmt: skip
"""Both in one: whether `x` was and `y` is liked."""
_TURNED = tuple(
    (likes, pattern(rf"^{words}$"))
    for likes, words in (
        (False, rf"(?:it )?turns out(?: that)? I{_EN_ADV}\s*{_EN_HATE} {_X}{_EN_END}"),
        (True, rf"(?:it )?turns out(?: that)? I(?: do)?{_EN_ADV}\s*{_EN_LIKE} {_X}{_EN_END}"),
        (False, rf"I(?:'ve| have|’ve) (?:\w+ )?(?:grown|come|started|begun|learned) to (?:really )?{_EN_HATE} {_X}{_EN_END}"),
        (True, rf"I(?:'ve| have|’ve) (?:\w+ )?(?:grown|come|started|begun|learned) to (?:really )?{_EN_LIKE} {_X}{_EN_END}"),
        (True, rf"I(?:'ve| have|’ve) (?:\w+ )?(?:started|begun) (?:liking|enjoying|loving) {_X}(?:, which .*)?{_EN_END}"),
        (True, rf"(?:我)?(?:没想到|发现)(?:自己|我)?(?:其实|竟然|还挺|居然|现在|开始)*{_ZH_LIKE}{_X}(?:了)?"),
    )
)  # fmt: skip
"""A new taste for (or against) something that implies the old one."""
_CUT_EN = re.compile(
    r"[.?!;]+(?:\s+|$)|:\s+|\s+[-–—]+\s+|,?\s+but(?: rather)?\s+(?=(?:now|these days|nowadays|actually|I|it|what)\b)|,\s+(?=(?:and )?(?:I|I'm|I've|these days|nowadays|now|it's|what I)\b)|\s+and\s+(?=(?:now\s+)?I\b)|,?\s+(?=(?:instead of|rather than)\s)",
    re.IGNORECASE,
)
_CUT_ZH = re.compile(r"[。？！!?；;，,：:]\s*")
_LEAD_EN = re.compile(
    r"^(?:and|but|so|well|ok|okay|oh|actually|hey|by the way|btw|lately|please|also|just)[,\s]+", re.IGNORECASE
)
_TRIM = re.compile(r"^[\s“\"']+|[\s.。，,!！”\"']+$")
_TASTE = tuple(
    (likes, pattern(words))
    for likes, words in (
        (False, rf"\b(?:that )?I (?:really )?{_EN_HATE} (?P<x>[^.,]+?)(?= from (?:your|the) memory|[.!?]|$)"),
        (True, rf"\b(?:that )?I (?:really )?{_EN_LIKE} (?P<x>[^.,]+?)(?= from (?:your|the) memory|[.!?]|$)"),
        (False, r"\b(?:disliking|hating|avoiding|my (?:dislike|hatred|aversion) (?:of|for|to)) (?P<x>[^.,]+?)(?= from (?:your|the) memory|[.!?]|$)"),
        (True, r"\b(?:erase|delete|remove|forget|drop|clear) my (?P<x>[\w' -]{2,40}?) preferences?\b"),
        (True, r"\b(?:liking|loving|enjoying|my (?:preference|liking|love|taste|fondness) (?:for|of)) (?P<x>[^.,]+?)(?= from (?:your|the) memory|[.!?]|$)"),
        (False, rf"我{_ZH_HATE}(?P<x>[^，。]+?)(?:的)?(?:这件?事|这[条个]|那[条个]|记忆|记录|了|忘|删|$)"),
        (True, rf"我(?:很|最)?{_ZH_LIKE}(?P<x>[^，。]+?)(?:的)?(?:这件?事|这[条个]|那[条个]|记忆|记录|了|忘|删|$)"),
    )
)  # fmt: skip
_SPOKEN = frozenset(("statement", "question", "request", "chatter", "hypothetical"))
_LONGEST = 120


def changed(statements: list[Statement], text: str) -> tuple[list[Proposal], set[int]]:
    """The changes of mind that a message tells, and the sentences that tell them.

    Args:
        statements: the message's clauses.
        text: the whole message.
    """
    if not statements or any(each.speech not in _SPOKEN for each in statements):
        return [], set()
    spoken, _ = blank(text)
    language = "zh" if is_chinese(spoken) else "en"
    parts = [part for piece in _pieces(spoken, language) for part in _read(piece, language)]
    made: list[Proposal] = []
    over: _Part | None = None
    for part in parts:
        if part.over:
            over = over if part.implied and over is not None else part
        elif over is not None:
            made.append(_proposal(part, over, statements[0], language))
            over = None
    if over is not None and made == [] and len(parts) > 1 and not parts[0].over:
        made.append(_proposal(parts[0], over, statements[0], language))
    return made, ({each.sentence for each in statements} if made else set())


def taste_in(text: str) -> tuple[str, bool] | None:
    """The thing that a request speaks of as liked or disliked, and which: "forget that I like tea"."""
    for likes, words in _TASTE:
        if found := words.search(text):
            return _TRIM.sub("", found["x"]), likes
    return None


def _pieces(text: str, language: str) -> list[str]:
    pieces = [_TRIM.sub("", piece) for piece in (_CUT_ZH if language == "zh" else _CUT_EN).split(text)]
    if language == "en":
        pieces = [_LEAD_EN.sub("", _LEAD_EN.sub("", piece)) for piece in pieces]
    return [piece for piece in pieces if piece]


def _read(piece: str, language: str) -> list[_Part]:
    for likes, words in _BOTH:
        if found := words.match(piece):
            return [_Part(True, found["x"], likes), _Part(False, found["y"], likes)]
    for likes, words in _TURNED:
        if found := words.match(piece):
            return [_Part(True, found["x"], not likes, implied=True), _Part(False, found["x"], likes)]
    for form in _FORMS_ZH if language == "zh" else _FORMS_EN:
        found = form.words.match(piece)
        what = found and (found["x"] or found.groupdict().get("more"))
        if what and len(what) <= _LONGEST:
            return [_Part(form.over, _TRIM.sub("", what), form.likes)]
    return []


def _proposal(now: _Part, over: _Part, statement: Statement, language: str) -> Proposal:
    what = over.what if re.fullmatch(r"(?:it|them|that|those|它|这个|这些)", now.what, re.IGNORECASE) else now.what
    made = draft(
        replace(statement, explicit=True),
        rule=f"{language}.change",
        kind="semantic",
        category="preference",
        confidence=0.92,
        content=_sentence(what, likes=bool(now.likes), language=language),
        slot=Slot("user", f"likes:{what.lower()}"),
        value=what,
        polarity=bool(now.likes),
        supersedes=True,
    )
    return replace(made, instead_of=over.what)


def _sentence(what: str, *, likes: bool, language: str) -> str:
    if language == "zh":
        return f"我{'喜欢' if likes else '不喜欢'}{what}"
    verb = "like" if likes else "don't like"
    return f"I {verb} {what}"
