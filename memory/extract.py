"""From a message to proposals, by rules alone: what to remember, to replace, to forget, or to hold back.

Only the user's own words count. Says nothing about what is already remembered; `resolve` does.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from foundation.masking import mask
from memory import changes, corrections, moments, moods, references, relating, revisions, supplements
from memory import patterns_en as en
from memory import patterns_zh as zh
from memory.drafts import Context, by_rule, draft, secret_only, standing_alone
from memory.lexicon import ABSURD_EN, ABSURD_ZH, NATURAL_LANGUAGES
from memory.model import Message, Proposal, Slot, Verb
from memory.perceive import Statement, perceive
from memory.rules import BARE, FAMILY, OTHER, SELF, WE, Rule
from memory.screening import Suspicion, screen, screen_marks, screen_split
from memory.speech import LONGEST_READ, blank, without_context
from memory.standing import STATES, returning, standing
from memory.subjects import Subject, who

__all__ = ["Context", "propose"]

Reader = Callable[[Statement, Subject, Message, Context], list[Proposal]]

_EVERYTHING = re.compile(
    r"(?:所有|全部|一切|全都|清空).{0,12}(?:我|记忆)|(?:忘记|忘掉|忘了|删除|清除)(?:关于)?我(?:这个人)?(?:的(?:一切|所有|全部).{0,6})?(?:吧|$)"
    r"|\b(?:everything|all)\b.{0,24}\b(?:me|I told you|I said|memor)|\bforget (?:about )?me$|\ball (?:my |your )?memor",
    re.IGNORECASE,
)
_FORGET_WORDS = re.compile(
    r"请|麻烦|你|帮我?|把|忘掉|忘了|忘记|忘|删除|删掉|删了|移除|清除|清空|抹掉|吧$|我(?:跟你|和你)?(?:说|讲|提|告诉)(?:过|了)?(?:你)?的?|(?:记|存|保存)(?:的|了|住的|下的)|关于|那条|这条|记忆|(?:之前|刚才|刚刚|以前|昨天|上次)(?:跟你?)?(?:说)?(?:过)?的?|那[个些](?:事)?|别记着?了?|(?:不用|不要|不必|别)再?记(?:得|着|住)?|这件?事|的事|了$|的$|从"
    r"|\b(?:please|can you|could you|you (?:don't|do not) (?:need to|have to)|remember|forget|delete|erase|remove|wipe|clear|what I (?:said|told you)|about|from (?:your )?memory|I (?:told|gave|mentioned|said|shared)(?: to)?(?: you)?|earlier|you (?:know|stored|saved|have)|anymore|that|the|my|what|for me|thing)\b",
    re.IGNORECASE,
)
_WAY_ZH = re.compile(
    r"^(?:给我的|写)?(?:代码|注释|变量名?|函数名?|方法名|文档|邮件|周报|日报|月报|报告|报表|回答|回复|表格|数字|日期|金额|示例|例子|标题|图表|PPT|SQL|关键字|命名|提交信息|合同|发票|推荐)(?:里面?|中|上|的时候|时|都|给我)*.{0,10}?(?:别|不要|不许|用|按|保留|一律|统一|必须|大写|小写|先|全部)"
    rf"|^用(?:{NATURAL_LANGUAGES}|摄氏度?|华氏度?|公里|公斤|人民币|24小时制)(?:就好|就行)?$|(?:跟|和)我(?:说话|沟通|聊天|解释)|回我|给我(?:保留|用|按|标|写清)|先(?:给我|讲|说)结论|(?:超过|高于|大于|低于|满).{1, 12}(?:通知|提醒|告诉|问)我"
)
_WAY_EN = re.compile(
    r"^(?:no|don't|do not|(?:never|always) (?!been|here|had|seen|heard|thought|a\b|the\b|wanted|\w+ed\b|\w+ing\b|enough|easy|fun|good|nice|great|more|knew|too|there|so\b|happy|mind)|stop|use|keep|only|whenever|when you|I want (?:all|my|your)|all my|please (?:only|always|never|don't|stop|use)|for \w+ (?:stuff|work|code)|going forward|next time|prefer)\b|\b(?:loop in|cc|notify me|remind me)\b|\bby default\b",
    re.IGNORECASE,
)
_ADDRESSED_ZH = re.compile(
    r"给我|提醒我|通知我|告诉我|叫我|问我|回[答复]|别|不要|不许|推荐|用|按|先|列|必须|要|都|别再|统一|举|写|讲|做|发|改|保持|注意|避免|少|多|说"
)
_CONTACT_ZH = re.compile(
    r"(?:发|打)(?:短信|电话|微信|邮件)|联系我|找我|打扰|(?:短信|电话|微信|邮件)(?:就)?(?:算了|免了)|约我|推荐|广告"
)
_CONTACT_EN = re.compile(
    r"\b(?:you (?:can|may)(?: not)? (?:call|text|send|email|message|reach|contact|use)|text me|call me (?!(?-i:[A-Z]))|email me|send me|phone calls|no calls?|seat|dark mode|light mode)\b",
    re.IGNORECASE,
)
_SHORT = 500
_LONELY = re.compile(r"^(?:我|我们|I|we|my)$", re.IGNORECASE)


def propose(message: Message, *, context: Context) -> list[Proposal]:
    """What the rules find in a message, in the order it was said; empty for chatter and for any speaker but the user.

    Args:
        message: the turn; its first 20,000 characters are read, secrets hidden first.
        context: earlier turns for references, and the person's zone.
    """
    if message.role != "user":
        return []
    message = replace(message, content=message.content[:LONGEST_READ])
    held, orders = _ordered(message, context)
    message = replace(message, content=mask(message.content))
    statements = perceive(message)
    if statements and all(statement.speech == "do not remember" for statement in statements):
        return []
    kept = [statement for statement in statements if statement.sentence not in held]
    found = [*orders, *_from(kept, message, context)]
    return _distinct(proposal for proposal in found if not secret_only(proposal))


def _ordered(message: Message, context: Context) -> tuple[set[int], list[Proposal]]:
    """Sentences that give orders to the agent, and what holds them back."""
    text, _ = blank(message.content)
    overall = screen(text) if text.strip() else _forged_marks(message.content)
    if overall is None:
        return _completed(message, text, context)
    guilty: dict[int, list[Statement]] = {}
    statements = perceive(message)
    for statement in statements:
        guilty.setdefault(statement.sentence, []).append(statement)
    held = {number for number, parts in guilty.items() if screen("，".join(part.quote for part in parts))}
    held = held or set(guilty)
    content = (
        (text.strip() or message.content.strip())
        if held == set(guilty)
        else " ".join(s.quote for s in statements if s.sentence in held)
    )
    return held, [_held(content, overall)]


def _forged_marks(content: str) -> Suspicion | None:
    """A message of nothing but mark-up is no code to be passed over where the mark-up is a prompt's."""
    content = without_context(content)
    return screen_marks(content) if len(content) <= _SHORT else None


def _completed(message: Message, text: str, context: Context) -> tuple[set[int], list[Proposal]]:
    """An order that was begun in earlier turns and ends in this one; the whole turn is held back."""
    said = [turn.content for turn in context.previous if turn.role == "user" and turn.thread_id == message.thread_id]
    whole = screen_split(text, said)
    if whole is None:
        return set(), []
    return {statement.sentence for statement in perceive(message)}, [_held(text.strip(), whole)]


def _held(content: str, suspicion: Suspicion) -> Proposal:
    return Proposal(
        verb="quarantine",
        content=mask(content),
        quote=mask(content),
        kind="semantic",
        category="conversation_history",
        importance="low",
        confidence=0.9,
        rule=suspicion.rule,
        reason=suspicion.reason,
    )


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
            found.append(_forget(statement, _sentence(statements, statement)))
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


def _read(
    statement: Statement, subject: Subject, message: Message, context: Context, said_before: str
) -> list[Proposal]:
    if (ABSURD_ZH if statement.language == "zh" else ABSURD_EN).search(statement.text):
        return []
    found = (
        references.people(statement, context, said_before)
        or corrections.retraction(statement, context, _plain(context))
        or references.liked(statement, context)
    )
    if found:
        return found
    if subject.who in {OTHER, BARE} and (found := relating.switched(statement)):
        return found
    if subject.who == BARE and (found := relating.of_somebody(statement, context, said_before)):
        return found
    if subject.who == OTHER and not _told_to_agent(statement):
        return relating.linked(statement, context, said_before)
    for reader in _READERS:
        if found := reader(statement, subject, message, context):
            return [_exception(proposal, statement) for proposal in found]
    return relating.linked(statement, context, said_before) if subject.who == BARE else []


def _told_to_agent(statement: Statement) -> bool:
    contact = _CONTACT_ZH if statement.language == "zh" else _CONTACT_EN
    return statement.explicit or statement.standing or contact.search(statement.text) is not None


def _exception(proposal: Proposal, statement: Statement) -> Proposal:
    """Marks what stands beside a general rule: a single title, or one topic."""
    title = bool(re.match(r"^《[^》]+》", statement.text)) or (
        bool(re.match(r"^(?:但|但是|不过|but\b)", statement.quote, re.IGNORECASE)) and not proposal.polarity
    )
    return replace(proposal, exception=True) if (title or proposal.topic) else proposal


def _first(rules: Iterable[Rule], statement: Statement, subject: Subject, text: str) -> list[Proposal]:
    for rule in rules:
        if found := by_rule(rule, statement, subject, text):
            return found
    return []


def _ways(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    text = statement.text
    told = statement.standing or bool((_CONTACT_ZH if statement.language == "zh" else _CONTACT_EN).search(text))
    manner = bool((_WAY_ZH if statement.language == "zh" else _WAY_EN).search(text))
    if not (told or manner) or subject.who == FAMILY:
        return []
    rules = zh.WAYS if statement.language == "zh" else en.WAYS
    found = _first_or_head(rules, statement, Subject(SELF, "user", text), text)
    # How work is to be done holds for all of it, whether or not "always" was said.
    return [
        replace(each, importance="critical") if manner and each.category == "preference" else each for each in found
    ]


def _manner(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """A way of working that no narrower rule reads."""
    text = statement.text
    chinese = statement.language == "zh"
    manner = (_WAY_ZH if chinese else _WAY_EN).search(text)
    addressed = chinese and statement.standing and _ADDRESSED_ZH.search(text)
    if (
        not (manner or addressed)
        or not (statement.standing or chinese)
        or len(text) < 5
        or subject.who == FAMILY
        or (not chinese and (len(text.split()) < 4 or re.match(r"never mind", text, re.IGNORECASE)))
    ):
        return []
    if not chinese and subject.who in {SELF, OTHER} and not re.match(r"(?:I want|all my|my )", text, re.IGNORECASE):
        return []
    if chinese and not manner and subject.who == SELF:
        return []
    negative = re.search(r"别|不要|不许|禁止|\b(?:never|don't|do not|stop|no)\b", text, re.IGNORECASE)
    return [
        draft(
            statement,
            rule=f"{statement.language}.way",
            kind="procedural",
            category="preference",
            confidence=0.82,
            polarity=not negative,
        )
    ]


def _habits(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    if (
        statement.language == "en"
        and subject.who in {SELF, WE}
        and re.match(
            r"(?:I|we) (?:always|never|usually|generally|normally) (?!thought|knew|sa[iy]|forget|got|get|wonder|have to|had|told|saw|heard|been|went|was|were|\w+ed\b|mind|understood|meant|found|did|feel|felt|want|love|like|need|wish|try|tried|enjoy|end|have (?:to|a feeling|trouble)|has\b|be\b|am\b|find|believe|imagine|expect|look forward|consider)\w+",
            statement.text,
            re.IGNORECASE,
        )
    ):
        return [draft(statement, rule="en.habit", kind="procedural", category="preference", confidence=0.75)]
    return []


def _standing(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    return standing(statement, subject, message, context, _rules)


def _came_back(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    """What is so again; where nothing like it was known, what happened stays an event."""
    if subject.who not in {SELF, BARE, WE} or not (found := returning(statement, message, context)):
        return []
    events = moments.event(statement, subject, message, context)
    return [*found, *(replace(each, content=found[0].content) for each in events)]


def _rules(statement: Statement, subject: Subject) -> list[Proposal]:
    rules = zh.RULES if statement.language == "zh" else (*en.RULES, *en.OWN)
    text = subject.predicate
    if statement.language == "zh" and (front := _fronted(statement)):
        subject, text = front
    return _first_or_head(rules, statement, subject, text)


def _first_or_head(rules: Iterable[Rule], statement: Statement, subject: Subject, text: str) -> list[Proposal]:
    """The first rule that reads the clause, or what stands before its first comma."""
    rules = tuple(rules)
    head, comma, _ = text.partition(", ")
    return _first(rules, statement, subject, text) or (_first(rules, statement, subject, head) if comma else [])


def _fronted(statement: Statement) -> tuple[Subject, str] | None:
    """Reads "《流浪地球》我不喜欢" and "咖啡我只喝美式" in plain order."""
    found = re.match(r"^(?P<topic>[^我，]{1,16})我(?!们)(?P<rest>.{1,30})$", statement.text)
    if not found or re.match(r"^(?:请|让|给|帮|叫|对|跟|和|他|她|你|这|那)", found["topic"]):
        return None
    rest = who(f"我{found['rest']}", "zh").predicate
    if re.fullmatch(
        r"(?:不(?:太|怎么)?(?:喜欢|爱吃|爱喝|吃|喝|爱看|看|听|碰|沾|要|用|能吃|能喝|能碰)|喜欢|爱吃|爱喝|爱看|讨厌|受不了|怕)(?:的|了)?",
        rest,
    ):
        rest = re.sub(r"[的了]$", "", rest) + found["topic"].strip()
    return Subject(SELF, "user", rest), rest


def _facts(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    if subject.who not in {BARE, WE, SELF}:
        return []
    rules = zh.FACTS if statement.language == "zh" else en.FACTS
    group = WE if subject.who == WE else SELF
    if subject.who == SELF and not statement.text.lower().startswith(("my ", "our ")):
        return []
    words = subject.predicate if subject.who == WE and statement.language == "en" else statement.text
    return _first(rules, statement, Subject(group, "user", words), words) or _first(
        rules, statement, Subject(SELF, "user", statement.text), statement.text
    )


def _commanded(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """Under "记住" or "please remember", what no rule reads is kept in its own words."""
    if not statement.explicit or len(statement.text) < 4 or _LONELY.match(statement.text) or statement.light:
        return []
    named = re.search(r"\d|(?<=\s)[A-Z]\w|\bis called\b|\bour\b", statement.text)
    if statement.language == "en" and subject.who in {BARE, OTHER} and not named:
        return []
    mine = subject.who in {SELF, FAMILY} or re.match(r"我|\bmy\b|\bI\b", statement.text, re.IGNORECASE)
    return [
        draft(
            statement,
            rule=f"{statement.language}.remember",
            kind="semantic",
            category="user_profile" if mine else "domain_knowledge",
            confidence=0.85,
            content=standing_alone(statement, subject) if subject.who != BARE else statement.text,
        )
    ]


_READERS: tuple[Reader, ...] = (
    _ways,
    moods.mood,
    moments.schedule,
    _standing,
    _facts,
    _came_back,
    moments.event,
    _manner,
    _habits,
    _commanded,
)


def _forget(statement: Statement, sentence: str) -> Proposal:
    everything = bool(_EVERYTHING.search(statement.quote))
    what = _what_to_forget(statement.quote) or _what_to_forget(sentence) or statement.quote
    thing, likes = (None if everything else changes.taste_in(sentence)) or (None, True)
    return Proposal(
        verb="forget",
        content=statement.quote if everything else what,
        quote=statement.quote,
        kind="semantic",
        category="conversation_history",
        importance="normal",
        confidence=0.9,
        rule="forget.everything" if everything else f"{statement.language}.forget",
        slot=Slot("user", f"likes:{thing.lower()}") if thing else None,
        value=thing,
        polarity=likes,
        explicit=True,
    )


def _what_to_forget(text: str) -> str:
    for _ in range(2):
        text = re.sub(r"\s+", " ", _FORGET_WORDS.sub("", text)).strip(" ，,。.!！?？")
    return text


def _distinct(proposals: Iterable[Proposal]) -> list[Proposal]:
    seen: set[tuple[object, ...]] = set()
    kept: list[Proposal] = []
    for proposal in proposals:
        key = (proposal.verb, proposal.slot or proposal.content, proposal.value, proposal.polarity, proposal.topic)
        if key not in seen:
            seen.add(key)
            kept.append(proposal)
    return kept
