"""Patterns over what happened, found by counting: a theme that comes up on the same weekday, a mood that comes back.

A pattern is proposed with every message that shows it, never invented: what is counted are the person's own turns, and
the dates are days where he lives.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from memory.model import Kind, Message, Remembered, Source
from memory.sessions import asking, sources_of
from memory.tokenizer import COMMON, is_chinese, tokens

WEEKS = 12
"""How far back is looked."""
_DAYS = 4
"""On so many days a theme must come up on one weekday."""
_SHARE = 0.6
"""Share of all the theme's days that fall on that weekday."""
_MOODS = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """What people talk about, and the words by which it shows."""

    key: str
    zh: str
    en: str
    words: re.Pattern[str]


def _theme(key: str, zh: str, en: str, words: str) -> Theme:
    return Theme(key, zh, en, re.compile(words, re.IGNORECASE))


THEMES = (
    _theme("money", "钱", "money", r"钱|花销|花费|开销|支出|收入|工资|存款|理财|基金|股票|账单|信用卡|房贷|预算|记账|报销|投资|利息|余额|\b(?:money|budget|spend|spent|spending|expenses?|savings?|salary|invest\w*|funds?|stocks?|bills?|mortgage|bank|finances?|income|rent)\b"),
    _theme("sport", "运动", "sport", r"跑步|健身|瑜伽|游泳|锻炼|打球|骑行|爬山|拉伸|\b(?:run|running|gym|workout|yoga|swim\w*|exercise|training|cycling|hike|hiking)\b"),
    _theme("health", "身体", "health", r"体检|血压|血糖|头疼|失眠|感冒|吃药|医院|看病|\b(?:health|doctor|blood pressure|headache|sleep|insomnia|medicine|symptoms?)\b"),
    _theme("food", "吃饭和做菜", "food", r"做菜|菜谱|晚饭|午饭|早餐|外卖|餐厅|吃什么|食谱|\b(?:recipe|cook|cooking|dinner|lunch|breakfast|restaurant|meal)\b"),
    _theme("travel", "出行", "travel", r"机票|酒店|旅行|旅游|航班|火车票|高铁|行程|\b(?:flights?|hotels?|trip|travel|itinerary|train tickets?)\b"),
    _theme("reports", "周报和汇报", "reports", r"周报|日报|月报|汇报|总结|复盘|\b(?:report|weekly|summary|retro|status update)\b"),
    _theme("study", "学习", "studying", r"学习|作业|考试|复习|单词|课程|论文|\b(?:study|homework|exam|revision|vocabulary|course|thesis|lesson)\b"),
    _theme("family", "家人", "family", r"孩子|女儿|儿子|爸|妈|老婆|老公|家里|\b(?:kids?|daughter|son|mom|mum|dad|wife|husband|family)\b"),
    _theme("films", "电影和剧", "films", r"电影|追剧|综艺|片子|\b(?:movies?|films?|series|tv show)\b"),
    _theme("shopping", "购物", "shopping", r"买菜|下单|快递|购物|优惠|打折|\b(?:shopping|order|delivery|discount|groceries)\b"),
)  # fmt: skip
_WEEKDAYS = (
    ("周一", "Mondays"), ("周二", "Tuesdays"), ("周三", "Wednesdays"), ("周四", "Thursdays"),
    ("周五", "Fridays"), ("周六", "Saturdays"), ("周日", "Sundays"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Something that comes back, with all that shows it."""

    key: str
    """The same for the same pattern, whenever it is found."""
    kind: Kind
    content: str
    question: str
    rule: str
    sources: tuple[Source, ...]
    also: tuple[str, ...] = ()
    """Keys under which it may have been proposed from fewer of its sources."""


def patterns(turns: Sequence[Message], memories: Iterable[Remembered], zone: ZoneInfo) -> list[Pattern]:
    """The patterns in what was said and in the moods that are remembered.

    Args:
        turns: what was said, by anybody; only what the person himself tells counts.
        memories: current memories; episodes with a mood count.
        zone: where the person lives.
    """
    return [*_weekly(asking(turns), zone), *_moods(memories, zone)]


def _weekly(turns: Sequence[Message], zone: ZoneInfo) -> list[Pattern]:
    days: dict[tuple[str, str, str], dict[date, Message]] = defaultdict(dict)
    for turn in turns:
        day = turn.created_at.astimezone(zone).date()
        for theme in _themes(turn.content):
            days[theme].setdefault(day, turn)
    found = [each for theme, told in days.items() if (each := _weekday(theme, told)) is not None]
    broad = {source.message_id for each in found if each.key.startswith("theme:") for source in each.sources}
    # A single word says less than the theme that its messages share.
    return [each for each in found if each.key.startswith("theme:") or not _covered(each, broad)]


def _themes(text: str) -> list[tuple[str, str, str]]:
    themes = [(f"theme:{each.key}", each.zh, each.en) for each in THEMES if each.words.search(text)]
    words = {token for token in tokens(text) if len(token) > 2 and token not in COMMON}
    return themes + [(f"word:{word}", f"“{word}”", f"“{word}”") for word in sorted(words)]


def _covered(pattern: Pattern, broad: set[str]) -> bool:
    return all(source.message_id in broad for source in pattern.sources)


def _weekday(theme: tuple[str, str, str], told: dict[date, Message]) -> Pattern | None:
    by_weekday: dict[int, list[date]] = defaultdict(list)
    for day in told:
        by_weekday[day.weekday()].append(day)
    weekday, on_it = max(by_weekday.items(), key=lambda each: (len(each[1]), -each[0]))
    if len(on_it) < _DAYS or len(on_it) < _SHARE * len(told):
        return None
    key, zh, en = theme
    shown = [told[day] for day in sorted(on_it)]
    chinese = is_chinese(shown[-1].content)
    dates = ", ".join(f"{day:%Y-%m-%d}" for day in sorted(on_it))
    name_zh, name_en = _WEEKDAYS[weekday]
    content = f"我常在{name_zh}问到{zh}" if chinese else f"I often ask about {en} on {name_en}"
    question = (
        f"我注意到你有 {len(on_it)} 个{name_zh}都问到{zh}（{dates}）。要记成你的习惯吗？"
        if chinese
        else f"You asked about {en} on {len(on_it)} {name_en} ({dates}). Shall I note that as a habit of yours?"
    )
    return Pattern(
        key=f"{key}@{weekday}",
        kind="procedural",
        content=content,
        question=question,
        rule="reflection.weekday",
        sources=tuple(sources_of(shown)),
    )


def _moods(memories: Iterable[Remembered], zone: ZoneInfo) -> list[Pattern]:
    felt: dict[str, dict[date, Source]] = defaultdict(dict)
    for memory in memories:
        for source in memory.sources if memory.episode and memory.episode.mood else ():
            felt[str(memory.episode and memory.episode.mood)].setdefault(source.said_at.astimezone(zone).date(), source)
    return [_mood(mood, list(told.values())) for mood, told in felt.items() if len(told) >= _MOODS]


def _mood(mood: str, told: Sequence[Source]) -> Pattern:
    chinese = is_chinese(told[-1].quote)
    times = len(told)
    return Pattern(
        key=f"mood:{mood}",
        kind="semantic",
        content=f"我近来多次感到{mood}" if chinese else f"I have felt {mood} several times lately",
        question=f"你有 {times} 天说过{mood}。要把这记成近况吗？"
        if chinese
        else f"You said on {times} days that you felt {mood}. Shall I note that?",
        rule="reflection.mood",
        sources=tuple(told),
    )
