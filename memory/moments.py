"""Extracting what has a time: standing meetings and reminders, dated events, finished work."""

import re
from datetime import datetime

from memory.dates import When, find_dates
from memory.drafts import Context, draft, standing_alone, with_episode
from memory.model import Category, Episode, Message, Proposal, Slot
from memory.perceive import Statement
from memory.recurrence import Recurrence, find_recurrences
from memory.rules import BARE, DEFAULTS, FAMILY, SELF, WE
from memory.subjects import Subject

_PAST = re.compile(
    r"了(?!解|吧)|过(?!年|来|去|期|程|敏)|昨|前天|上[周个]|去年|(?:^|我|，)之前|刚|\b(?:was|were|had|did|went|got|ran|broke|fixed|finished|started|met|saw|bought|\w{3,}ed)\b|\bago\b|\blast\b",
    re.IGNORECASE,
)
_DONE = {
    "zh": re.compile(r"(?:修好|做完|完成|搞定|上线|发布|交付|签了?|提交|跑通|迁移完|测完|写完|改完|弄完|开发完|收尾|通过|验收|结项|合并|部署|解决)(?:了|完|好了|完了)|推迟到|延期到|提前到|卡了我?|还没(?:找到|做完|批|到账|修好|解决|完成)|进度到|做到第|已经做到|到第.{1,3}阶段"),
    "en": re.compile(r"\b(?:fixed|finished|completed|shipped|released|deployed|merged|submitted|signed|closed|delivered|launched|migrated|resolved|wrapped up|done with|halfway through|pushed to|postponed to|delayed (?:to|until)|was paid|blocked on|stuck on|still waiting for)\b", re.IGNORECASE),
}  # fmt: skip
_WORK = re.compile(r"模块|接口|订单|bug|问题(?=.{0,6}(?:修|解决))|项目|迁移|版本|报销|合同|测试|上线|发布|登录|页面|系统|服务|数据|审计|发票|方案|报告|需求|代码|脚本|功能|权限|\b(?:bug|module|migration|release|feature|ticket|pipeline|service|report|invoice|project|renovation|thesis|chapter|draft|deploy\w*|page|api|test\w*|contract|audit|order)\b", re.IGNORECASE)  # fmt: skip
_NOTHING = re.compile(
    r"会更好|会好的|^(?:快|要|就要|马上|终于)(?:到)?(?:过年|放假|国庆|春节|周末)了|懂了|明白了|对话|聊聊|聊天|跟你|和你|那个问题|这个问题|知道了|看到了|你说|你的|天气|下雨|下雪|好热|好冷|热死|冷死|好累|累死|困死|饿死|吃什么|吃啥|吃饭|周末快乐|新年快乐|节日快乐|辛苦|谢谢|再聊|再说|再见|见$|聊$|哈哈|怎么样|太棒|好烦|星期[一二三四五六日天]$|无聊|心情不错|几号|堵车"
    r"|\b(?:weather|raining|snowing|so (?:hot|cold|tired)|see you|talk (?:to you )?(?:later|tomorrow)|have a (?:good|nice|great)|thank|happy (?:monday|friday|birthday)|good (?:morning|night)|bye|what a|it's (?:friday|monday)|your|need (?:this|it|that)|with you|to you|chat|talked|want to share|confused|busy|some (?:trouble|question)\w*|not sure|have dinner|have lunch|answer|asked|question|today was|yesterday was)\b",
    re.IGNORECASE,
)
_EN_EVENT = re.compile(
    r"^(?:i\b|i'|im\b|we\b|we'|my\b|our\b|the (?:kids|release|deadline|meeting|flight|rent|lease|exam|wedding|party|trip|launch|project|report|invoice|contract|baby|move|car|audit|demo|review|school|client|train|concert|game|match)|invoice|release|deadline|kids|it's due|there's|have to|need to|got to|must|flight|meeting|dentist|doctor|(?:next|last|this|on|in|by) [\w ,]*\b(?:i|i'm|i've|we|my|our)\b|(?:tonight|today|tomorrow|yesterday)(?:,| at\b.*\b| (?:i|i'm|we|my|our))|tiles?|(?-i:(?!That|This|It\b|There|Tomorrow|Yesterday|Today|What|How|Here)[A-Z]\w+)(?: \w+){0,4} (?:is|was|are|arrives?|starts?|ends?|due|expires?|renews?|gets?)\b|[a-z ]+ (?:renews?|expires?|starts?|arrives?|ends?|runs out|is due|moved to))",
    re.IGNORECASE,
)
_EN_TALK = re.compile(r"^(?:I(?:'m| am)? (?:see|think|guess|know|mean|hope|wonder|asked|was wondering|told you|said)|what|thanks|let me|I'll (?:try|check|see|get back|let you|ask|do it))\b", re.IGNORECASE)  # fmt: skip
_TODAY_EN = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_TODAY_MATTERS = re.compile(
    r"\b(?:went|bought|met|started|got|visited|won|lost|ran|broke|passed|failed|signed|moved|appointment|interview|exam|flight|deadline|due|surgery|court|wedding|funeral|birthday|anniversary|presentation|audit|inspection)\b",
    re.IGNORECASE,
)
_ZH_EVENT = re.compile(
    r"[我俺咱]|要|得|会|有|去|到|交|约|开|休|办|参加|考试|面试|出差|交房|截止|到期|搬|回|签|做|买|修|提交|上线|发布|推迟|过|请|结婚|生日|大寿|用掉|入职|离职|住院|手术|复查|聚|见|旅游|出发|起飞|航班|打了|带|跑|赢|输|丢|收到|看了|跟|和|联调|评审|答辩|汇报|演示|开学|放假|开工|体检|值班|了$|了[^，]{1,10}$"
)
_LOOSE = re.compile(
    r"[上下这]个?学期|[寒暑]假|国庆|春节|过年|五一|元旦|中秋|端午|清明|圣诞|双十一|年后|年前|开春|月中|(?:next|this|last) (?:semester|term|season|holiday)|\bover the holidays\b|\b(?:at|over|for|before|after) (?:Christmas|Easter|Thanksgiving|New Year)|\bsummer break\b",
    re.IGNORECASE,
)
_SELF_HELP = re.compile(
    r"^(?:我|那|这)?(?:的|个|自己|一下)*(?:问题|bug)?(?:也|都|已经|刚刚?|终于|自己)*(?:搞定|解决|弄好|做完|完成|修好)(?:了|啦)|^(?:my|the) (?:problem|issue|question) (?:is|was|got|has been) (?:now )?(?:fixed|solved|resolved)|^I (?:have )?(?:fixed|solved|finished|resolved|submitted) (?:it|that|this)$|^I (?:just |have )*finished (?:eating|lunch|dinner|breakfast|work|reading|it|the call)$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"过期|到期|截止|失效|(?:日|号|底|天|[一二三四五六日])(?:之|以)?前(?!天)|作废|\bexpires?\b|\bruns out\b|\bvalid (?:until|till)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|until|till|before|due)(?: on)? *$", re.IGNORECASE)
_REMIND = re.compile(r"提醒|通知我|别让我忘|叫我|喊我|催我|\bremind\b", re.IGNORECASE)
_PLAIN_EN = re.compile(r"\b(?:annoying|busy|hungry|tired|boring|same old)\b", re.IGNORECASE)
_STRETCH = re.compile(r"[这本上]个?(?:周|星期|月)|这几天|前几天|\b(?:this|last|all) (?:week|month)\b", re.IGNORECASE)
"""Every evening of one week is no standing habit."""
_EVERY_DAY = frozenset(("每天", "天天", "每晚", "every day", "every night", "every evening", "every morning", "daily"))
_OFTEN = re.compile(r"^(?:好|很|太|真|都很|都好|都)?(?:累|烦|忙|开心|困|无聊|加班)(?:了|死了)?$")


def schedule(statement: Statement, subject: Subject, message: Message, _context: Context) -> list[Proposal]:
    """A standing meeting, habit or reminder: a clause with a recurring phrase ("每月25号", "every Sunday")."""
    recurrences = find_recurrences(statement.text)
    if not recurrences or subject.who not in {SELF, WE, BARE, FAMILY} or _is_noise(statement, recurrences[0]):
        return []
    recurrence = recurrences[0]
    what = _what(statement, recurrence)
    if len(what) < 2:
        return []
    proposal = draft(
        statement,
        rule=f"{statement.language}.{'reminder' if _REMIND.search(statement.text) else 'schedule'}",
        kind="procedural",
        category="task_progress",
        confidence=0.88,
        content=standing_alone(statement, subject) if not _REMIND.search(statement.text) else statement.text,
        slot=Slot("user", f"schedule:{what[:40].lower()}"),
        value=recurrence.phrase if recurrence.at is None else f"{recurrence.phrase} {recurrence.at:%H:%M}",
        polarity=not re.search(r"\b(?:don't|do not|never)\b.{0,8}work|不(?:上班|工作)", statement.text),
    )
    return [with_episode(proposal, Episode(when_phrase=recurrence.phrase), None, said_at=message.created_at)]


def _is_noise(statement: Statement, recurrence: Recurrence) -> bool:
    rest = (statement.text[: recurrence.start] + statement.text[recurrence.end :]).strip(" ,，我")
    if statement.language == "en" and re.search(r"\b(?:could|would|might|should)\b", rest):
        return True
    if recurrence.phrase in _EVERY_DAY and _STRETCH.search(rest):
        return True
    return bool(_OFTEN.match(rest) or _NOTHING.search(rest) or _PLAIN_EN.search(rest)) or len(rest) < 2


def _what(statement: Statement, recurrence: Recurrence) -> str:
    rest = statement.text[: recurrence.start] + " " + statement.text[recurrence.end :]
    rest = re.sub(
        r"提醒我|别让我忘|记得|我们?|都|要|有个?|一般|是|的话|(?:凌晨|早上|上午|中午|下午|傍晚|晚上)|[一二两三四五六七八九十\d]+点半?|\d{1,2}[:：]\d\d|\b(?:remind me|to|I|my|we|have|at|on|a|an|the|usually|am|I'm|\d{1,2}(?:am|pm)?)\b",
        " ",
        rest,
        flags=re.IGNORECASE,
    )
    return re.sub(r"\s+", " ", rest).strip(" ,，、.")


def event(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    """Something at a date, or work that is done, moved or stuck."""
    dates = dates_in(statement, message, context)
    loose = _LOOSE.search(statement.text)
    done = _DONE[statement.language].search(statement.text) and (
        _WORK.search(statement.text) or subject.who in {SELF, WE}
    )
    if _SELF_HELP.match(statement.text):
        return []
    if statement.light or not (dates or done or loose) or not _eventful(statement, subject, bool(done)):
        return []
    category = _category(statement, dates, done=bool(done), message=message)
    proposal = draft(
        statement,
        rule=f"{statement.language}.{'progress' if done else 'event'}",
        kind="episodic",
        category=category,
        confidence=0.85 if dates else 0.8,
        content=standing_alone(statement, subject) if subject.who != BARE else statement.text,
    )
    when = dates[0].begins if dates else None
    episode = Episode(
        when=when,
        when_phrase=dates[0].phrase if dates else (loose.group() if loose else None),
        where=_where(statement.text),
    )
    expires_at = expiry_of(category, dates[0].ends if dates else message.created_at)
    until = _deadline(statement.text, dates)
    return [with_episode(proposal, episode, expires_at, said_at=message.created_at, until=until)]


def _deadline(text: str, dates: list[When]) -> datetime | None:
    """The end of the day until which it holds ("8月13日过期", "by Friday")."""
    if not dates or not (_UNTIL.search(text) or _BY.search(text[: dates[0].start])):
        return None
    return dates[0].ends


def dates_in(statement: Statement, message: Message, context: Context) -> list[When]:
    """The dates that a clause names, those of a clause in the past tense before its own day."""
    past = bool(_PAST.search(statement.text))
    return find_dates(statement.text, message.created_at, context.zone, past=past)


def expiry_of(category: Category, after: datetime) -> datetime | None:
    """When a memory of this category that is dated `after` is over; None: never."""
    life = DEFAULTS[category].life
    try:
        return after + life if life else None
    except OverflowError:
        return None


def _eventful(statement: Statement, subject: Subject, done: bool) -> bool:
    text = statement.text
    if subject.who not in {SELF, WE, BARE, FAMILY} or _NOTHING.search(text):
        return False
    if statement.language == "zh":
        return len(text) >= 4 and (done or bool(_ZH_EVENT.search(text))) and not _today_only(text, done)
    if _TODAY_EN.search(text) and not done and not _TODAY_MATTERS.search(text):
        return False
    return len(text.split()) >= 3 and not _EN_TALK.match(text) and (done or bool(_EN_EVENT.match(text)))


def _today_only(text: str, done: bool) -> bool:
    return (
        bool(re.search(r"今天|今晚|今早", text))
        and not done
        and not re.search(
            r"开会|面试|考试|手术|截止|交|签|出差|到期|生日|婚礼|复查|入职|离职|搬家|出院|住院|答辩|提醒", text
        )
    )


def _category(statement: Statement, dates: list[When], *, done: bool, message: Message) -> Category:
    if done or not dates or dates[0].ends > message.created_at or _WORK.search(statement.text):
        return "task_progress"
    return "conversation_history"


def _where(text: str) -> str | None:
    found = re.search(
        r"(?:去|到|在|飞)(?P<v>[\u4e00-\u9fff]{2,4}?)(?:出差|旅游|旅行|玩|开会|面试|参加|交换|见|办|自驾|过年)|\b(?:to|in) (?P<e>[A-Z]\w+(?: [A-Z]\w+)?)",
        text,
    )
    return (found["v"] or found["e"]) if found else None
