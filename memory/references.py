"""What "this one", "he" and an elliptic correction refer to, read from the turns before."""

import re

from memory.drafts import Context, draft
from memory.lexicon import FAMILY_ZH, OTHERS_EN, OTHERS_ZH
from memory.model import Message, Proposal, Slot
from memory.perceive import Statement

_TITLE = re.compile(
    r"《(?P<a>[^》]{1,40})》|「(?P<b>[^」]{1,40})」|“(?P<c>[^”]{1,40})”|\"(?P<d>[^\"]{1,40})\"|\b(?:about|try|watch|read|listen to|recommend|enjoy|like)\b (?P<e>[A-Z\u00c0-\u00de][\w'’]*(?: [A-Z\u00c0-\u00de][\w'’]*){0,4})"
)
_ZH_ADV = r"(?:真的|真|很|挺|特别|超级?|非常|太|好|也|还|就|蛮|确实|一直|实在)*"
_ZH_LIKE = re.compile(
    rf"^(?:我|俺)?{_ZH_ADV}(?P<neg>不(?:太|怎么)?)?{_ZH_ADV}(?:喜欢|爱|讨厌(?P<hate>))(?:看|吃|听|喝)?(?:(?:这|那)(?:一)?(?:本|个|部|首|家|款|种|道|张|只|条|位|里)?(?:书|歌|店|片子?|电影|菜|作者|地方)?|它|他|她)?(?:的|了|啊|呢)?$"
)
_ZH_FRONT = re.compile(
    rf"^(?:这|那)(?:一)?(?:本|个|部|首|家|款|种|道|张|条)?(?:书|歌|店|片子?|电影|菜)?(?:我)?{_ZH_ADV}(?P<neg>不(?:太|怎么)?)?{_ZH_ADV}(?:喜欢|爱|(?P<hate>讨厌))(?:看|吃|听)?(?:的|了)?$"
)
_EN_LIKE = re.compile(
    r"^I(?:'m| am)? (?:really |absolutely |just |do |also |actually )*(?P<neg>don't |do not |didn't |never |not )?(?:really |actually |much )*(?:love|like|enjoy|adore|liked|loved|enjoyed|(?P<hate>hate|hated|can't stand)|a (?:big |huge )?fan of|into) (?:it|that one|this one|that|this|hers|his|theirs|him|her|them|those|the (?:first|second|last) one|that (?:book|movie|film|song|band|place|one))(?: a lot| so much| too| very much)?$",
    re.IGNORECASE,
)
_FAMILY = "|".join(FAMILY_ZH)
_ZH_INTRO = re.compile(
    rf"(?:这|那)(?:位)?(?:是|就是)(?:我|我们)(?:的)?(?:(?P<how>[\u4e00-\u9fff]{{0,4}}?))(?P<rel>{OTHERS_ZH}|{_FAMILY})(?:叫|是|：|,|，)?\s*(?P<name>[\u4e00-\u9fff]{{2,4}}|[A-Z][a-z]+)$"
)
_EN_INTRO = re.compile(
    rf"^(?:this is|meet|that's) my (?P<rel>{OTHERS_EN}|\w+),? (?P<name>(?-i:[A-Z])[a-z]+)\b", re.IGNORECASE
)
_ZH_HAS = re.compile(
    rf"^(?:他|她|ta)有(?:一?个|一?位)?(?P<rel>{OTHERS_ZH}|{_FAMILY})(?:名字)?叫(?P<name>[\u4e00-\u9fffA-Za-z]{{1,12}})$",
    re.IGNORECASE,
)
_EN_HAS = re.compile(
    rf"^(?:he|she|they)(?:'s got| has| have) an? (?P<rel>{OTHERS_EN}|\w+) (?:called|named) (?P<name>[A-Z]\w+)",
    re.IGNORECASE,
)
_ZH_CALLED = re.compile(
    rf"^(?:我|我们)(?:的)?(?P<rel>{OTHERS_ZH})(?:名字)?(?:叫|姓|名叫)(?P<name>[\u4e00-\u9fff]{{1,4}}|[A-Z][a-z]+)$"
)
_EN_CALLED = re.compile(
    rf"^(?:my|our) (?P<rel>{OTHERS_EN})(?:'s name is| is called| is named) (?P<name>(?-i:[A-Z])[\w.]+(?: (?-i:[A-Z])\w+)?)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"^(?P<who>[小老阿][\u4e00-\u9fff]|[A-Z][a-z]+)(?:已经|上个?月|上周|最近|刚刚?| has| just| recently)*(?:搬(?:家)?(?:到|去)了?| moved to )(?P<v>[\u4e00-\u9fff]{2,8}?|[A-Z][\w ]+?)(?:去|住)?了?$"
)
_ENGLISH = {"朋友": "friend", "好友": "friend", "同事": "colleague", "同学": "classmate"}


def liked(statement: Statement, context: Context) -> list[Proposal]:
    """A preference for what the assistant has just named: "我很喜欢这本" after 《三体》."""
    found = (
        (_ZH_LIKE.match(statement.text) or _ZH_FRONT.match(statement.text))
        if statement.language == "zh"
        else _EN_LIKE.match(statement.text)
    )
    thing = _named_last(context)
    if not found or thing is None:
        return []
    polarity = not (found["neg"] or found["hate"] is not None)
    content = _like_sentence(statement.language, thing, polarity)
    proposal = draft(
        statement,
        rule=f"{statement.language}.likes.this",
        kind="semantic",
        category="preference",
        confidence=0.85,
        content=content,
        slot=Slot("user", f"likes:{thing.lower()}"),
        value=thing,
        polarity=polarity,
    )
    return [proposal]


def _like_sentence(language: str, thing: str, polarity: bool) -> str:
    if language == "zh":
        return f"我{'喜欢' if polarity else '不喜欢'}《{thing}》" if thing else ""
    verb = "like" if polarity else "don't like"
    return f"I {verb} {thing}"


def _named_last(context: Context) -> str | None:
    last = context.previous[-1] if context.previous else None
    if last is None or last.role != "assistant":
        return None
    found = _TITLE.search(last.content[:2_000])
    return next((name.strip() for name in found.groups() if name), None) if found else None


def people(statement: Statement, context: Context, said_before: str) -> list[Proposal]:
    """Friends that are introduced, what "he" has, and named people who moved; never a fact about the user."""
    for reader in (_introduced, _has_friend, _moved, _called):
        if proposal := reader(statement, context, said_before):
            return [proposal]
    return []


def _introduced(statement: Statement, _context: Context, _said_before: str) -> Proposal | None:
    found = _ZH_INTRO.match(statement.text) or _EN_INTRO.match(statement.text)
    if not found or re.search(r"[让的你我他问给]", found["name"]):
        return None
    return _about(statement, found["name"], "relation", found["rel"], statement.text)


def _has_friend(statement: Statement, context: Context, said_before: str) -> Proposal | None:
    found = _ZH_HAS.match(statement.text) or _EN_HAS.match(statement.text)
    person = _person(context, said_before)
    if not found or person is None:
        return None
    content = re.sub(r"^(?:他|她|ta|he|she|they)", person, statement.text, count=1, flags=re.IGNORECASE)
    relation = _ENGLISH.get(found["rel"], found["rel"])
    return _about(statement, person, relation, found["name"], content, many=True)


def _moved(statement: Statement, _context: Context, _said_before: str) -> Proposal | None:
    found = _MOVED.match(statement.text)
    return _about(statement, found["who"], "city", found["v"], statement.text) if found else None


def _called(statement: Statement, _context: Context, _said_before: str) -> Proposal | None:
    found = _ZH_CALLED.match(statement.text) or _EN_CALLED.match(statement.text)
    if not found or re.search(r"[让的你我他来去]", found["name"]):
        return None
    return _about(statement, f"user's {found['rel'].lower()}", "name", found["name"], statement.text)


def _about(statement: Statement, who: str, attribute: str, value: str, content: str, *, many: bool = False) -> Proposal:
    return draft(
        statement,
        rule=f"{statement.language}.person.{attribute}",
        kind="semantic",
        category="user_profile",
        confidence=0.8,
        content=content,
        slot=Slot(who, f"{attribute}:{value}" if many else attribute),
        value=value,
    )


def _person(context: Context, said_before: str) -> str | None:
    texts = [said_before, *(m.content for m in reversed(context.previous) if m.role == "user")]
    for text in texts:
        for piece in re.split(r"[，。,.!！\n]", text[:2_000]):
            found = _ZH_INTRO.search(piece.strip()) or _EN_INTRO.match(piece.strip())
            if found:
                return found["name"]
    return None


def last_said(context: Context) -> Message | None:
    """The user's turn before this one."""
    return next((m for m in reversed(context.previous) if m.role == "user"), None)
