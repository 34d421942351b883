"""Turning a clause that a rule matched into proposals: self-contained words, slot, value, life."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from foundation.masking import KINDS, mask
from memory.lexicon import PROGRAMMING_ONLY
from memory.model import Category, Episode, Kind, Message, Proposal, Slot
from memory.perceive import Statement
from memory.rules import BARE, DEFAULTS, FAMILY, SELF, WE, Rule
from memory.subjects import Subject

_SPLIT = re.compile(r"\s*(?:、|/|,|，|和|跟|以及|还有|及|\band\b(?: also)?|\bor\b|&)\s*(?:to |also )?", re.IGNORECASE)
_TRIM = re.compile(
    r"^[\s《“\"「'‘(（]+|[\s》”\"」'’)）。，,.!！~～…:：;；]+$|^(?:the|an?|some|any|my) (?=\w)", re.IGNORECASE
)
_HIDDEN = re.compile(rf"\[(?:{'|'.join(sorted({kind.name for kind in KINDS}))})[^\]]{{0,4}}\]")
_BESIDE_HAN = re.compile(r"(?<=[\u4e00-\u9fff]) +| +(?=[\u4e00-\u9fff])")
_PROJECT = re.compile(
    r"项目|服务|应用|仓库|模块|产品|\b(?:project|service|app|product|repo|codebase|prototype)s?\b", re.IGNORECASE
)
_NOT_TOPIC = re.compile(r"给我|示例|例子|from now|please|不用|别|\bI\b|always")
_EN_BARE_VERB = re.compile(
    r"^(?:hate|love|like|prefer|live|work|use|have|can't|don't|do not|never|moved|listen|enjoy|no longer|speak|used|teach)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What `propose` knows beside the message itself."""

    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    """Where the person lives; dates are days there."""
    previous: tuple[Message, ...] = ()
    """Earlier turns of the thread, oldest first, for "this one" and "he"."""
    now: datetime | None = None
    """When it is processed; dates count from the message's own time, never from this."""


def draft(  # noqa: PLR0913 - the fields of a proposal
    statement: Statement,
    *,
    rule: str,
    kind: Kind,
    category: Category,
    confidence: float,
    content: str | None = None,
    slot: Slot | None = None,
    value: str | None = None,
    polarity: bool = True,
    topic: str | None = None,
    supersedes: bool = False,
) -> Proposal:
    """A proposal with the defaults of its category; a standing order is critical."""
    return Proposal(
        verb="supersede" if supersedes else "add",
        content=mask(content or statement.text),
        quote=statement.quote,
        kind=kind,
        category=category,
        importance="critical" if statement.standing and category == "preference" else DEFAULTS[category].importance,
        confidence=confidence,
        rule=rule,
        slot=slot,
        value=mask(value) if value else None,
        polarity=polarity,
        topic=topic,
        explicit=statement.explicit or statement.standing,
    )


def by_rule(rule: Rule, statement: Statement, subject: Subject, text: str) -> list[Proposal]:
    """What `rule` proposes for a clause whose predicate is `text`; empty when it doesn't match."""
    if subject.who not in rule.subjects or (statement.light and not rule.firm):
        return []
    found = rule.pattern.match(_BESIDE_HAN.sub("", text) if statement.language == "zh" else text)
    if not found:
        return []
    groups = found.groupdict()
    whole = _tidy(groups.get("v") or rule.constant or "")
    values = [v for v in map(_tidy, _SPLIT.split(whole)) if v] if rule.many and _is_list(whole) else [whole]
    values = [value for value in values if not rule.check or rule.check(value)]
    topic = _topic(groups)
    return [_one(rule, statement, subject, value, groups, len(values) > 1, topic) for value in values if value]


def first(rules: Iterable[Rule], statement: Statement, subject: Subject, text: str) -> list[Proposal]:
    """What the first rule that reads a clause proposes."""
    for rule in rules:
        if found := by_rule(rule, statement, subject, text):
            return found
    return []


def first_or_head(rules: Iterable[Rule], statement: Statement, subject: Subject, text: str) -> list[Proposal]:
    """The first rule that reads the clause, or what stands before its first comma."""
    rules = tuple(rules)
    head, comma, _ = text.partition(", ")
    return first(rules, statement, subject, text) or (first(rules, statement, subject, head) if comma else [])


def _one(
    rule: Rule,
    statement: Statement,
    subject: Subject,
    value: str,
    groups: dict[str, str | None],
    several: bool,
    topic: str | None,
) -> Proposal:
    negated = rule.polarity is False and (groups.get("neg") is not None or "neg" not in groups)
    polarity = not (negated or (rule.polarity and groups.get("neg")))
    attribute = _attribute(rule, value, groups)
    return draft(
        statement,
        rule=rule.rule,
        kind=rule.kind,
        category=rule.category,
        confidence=rule.confidence,
        content=_part(statement, subject, value, several),
        slot=Slot(subject.name, attribute) if attribute else None,
        value=value,
        polarity=polarity,
        topic=topic,
        supersedes=rule.supersedes,
    )


def _attribute(rule: Rule, value: str, groups: dict[str, str | None]) -> str | None:
    if rule.attribute is None:
        return None
    attribute = rule.attribute.replace("{a}", _tidy(groups.get("a") or "").lower())
    if (
        attribute in {"tool:", "likes:"}
        and PROGRAMMING_ONLY.fullmatch(value)
        and (attribute == "tool:" or rule.supersedes)
    ):
        return "programming_language"
    return f"{attribute}{value.lower()}" if attribute.endswith(":") else attribute


def _topic(groups: dict[str, str | None]) -> str | None:
    topic = _tidy(
        re.sub(r"^(?:for|the|our)\s+|\s+(?:stuff|work|code|things)$", "", groups.get("t") or groups.get("t2") or "")
    )
    topic = re.sub(r"^(?:以后|今后|我们|现在|的)+|(?:都|统一|一律|默认|全部|以后|项目里|的|里|方面)+$", "", topic)
    return topic if 1 < len(topic) <= 24 and _PROJECT.search(topic) and not _NOT_TOPIC.search(topic) else None


def _is_list(value: str) -> bool:
    parts = _SPLIT.split(value)
    if value.isascii() and not re.search(r"\b(?:and|or)\b|&", value):
        return False
    return len(parts) > 1 and all(0 < len(part) <= 24 and (len(part) <= 6 or part.isascii()) for part in parts)


def _tidy(value: str) -> str:
    for _ in range(3):
        value = _TRIM.sub("", value.strip())
    return value


def _part(statement: Statement, subject: Subject, value: str, several: bool) -> str:
    content = standing_alone(statement, subject)
    if not several or value not in content:
        return content
    start = content.index(value)
    head = re.split(r"[、，,和跟及]|\band\b", content[:start])[0] if start else ""
    first = _SPLIT.split(head)[0].rstrip()
    joint = "" if statement.language == "zh" else " "
    verb = _leading_verb(content, statement.language)
    if verb is None:
        return content
    tail = "过敏" if statement.language == "zh" and "过敏" in content else ""
    return f"{verb}{joint}{value}{tail}" if first or verb else content


def _leading_verb(content: str, language: str) -> str | None:
    pattern = (
        r"^.{0,10}?(?:对|喜欢|爱|讨厌|不吃|不喝|不爱|不喜欢|吃|喝|爱好是|恨)(?:吃|喝|看|听)?"
        if language == "zh"
        else r"^.{0,24}?\b(?:allergic to|like|love|hate|eat|enjoy|drink|stand|adore|prefer|into)\b"
    )
    found = re.match(pattern, content)
    return found.group() if found else None


def standing_alone(statement: Statement, subject: Subject) -> str:
    """The clause as a sentence that is understood without its neighbours, in the speaker's words."""
    text = re.sub(r"^(?:还有|另外|而且|then|also)[，, ]*", "", statement.text).strip()
    if statement.language == "zh":
        return _alone_zh(text, subject)
    if subject.who == BARE and _EN_BARE_VERB.match(text):
        return f"I {text[0].lower()}{text[1:]}"
    return text


def _alone_zh(text: str, subject: Subject) -> str:
    if subject.who == BARE and not re.search(r"^[我俺咱]|我", text):
        return f"我{text}" if subject.name == "user" else text
    if subject.who == FAMILY and not re.match(r"[我咱俺]", text):
        return f"我{text}"
    return text


def secret_only(proposal: Proposal) -> bool:
    """Whether nothing useful is left of a statement once its secrets are hidden."""
    if not _HIDDEN.search(proposal.content):
        return False
    rest = _HIDDEN.sub("", proposal.content)
    rest = re.sub(
        r"(?i)我的?|密码|口令|密钥|验证码|身份证|卡号|号码?|银行卡|信用卡|手机|邮箱|护照|登录|就?是|为|这个|记住|请|你好|\b(?:my|is|the|here's|here|use|this|api|key|password|token|card|number|pin|code|wifi|wi-fi|a|an|and|to|it|secret|phone|email|are)\b|[^\w]|_",
        "",
        rest,
    )
    return len(rest) < 3


def with_episode(
    proposal: Proposal,
    episode: Episode,
    expires_at: datetime | None,
    *,
    said_at: datetime,
    until: datetime | None = None,
) -> Proposal:
    """The proposal with its time and life. What lies ahead is true from now on; its date is the episode's."""
    began = episode.when if episode.when is not None and episode.when <= said_at else None
    return replace(proposal, episode=episode, valid_from=began, valid_to=until, expires_at=expires_at)


__all__ = ["SELF", "WE", "Context", "by_rule", "draft", "secret_only", "standing_alone", "with_episode"]
