"""What kind of speech each clause of a message is; rules only, no model.

Knows nothing of slots and values: `extract` reads those from the clauses that turn out to be statements. Only the user's
own words count; the assistant's, a tool's or a document's are never the user's statements.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from memory.lexicon import ABSURD_EN, ABSURD_ZH, is_chinese
from memory.model import Message
from memory.speech import Clause, blank, clauses

Speech = Literal[
    "statement",
    "question",
    "request",
    "hypothetical",
    "joke",
    "role play",
    "quote",
    "forget request",
    "do not remember",
    "chatter",
]
Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause with its kind of speech."""

    text: str
    """The clause without greetings, fillers and commands to remember."""
    quote: str
    """The clause as it stands in the message."""
    speech: Speech
    language: Language
    sentence: int
    explicit: bool = False
    """It was said under a command: "记住", "please remember", "from now on"."""
    standing: bool = False
    """It is meant for all future: "以后", "always", "从现在起"."""
    light: bool = False
    """Laughter stands beside it."""


def _re(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_ROLE_PLAY = _re(
    r"角色扮演|扮演(?:一下|一个|我的|你|顾客|一名)?|假装你|假装我|假扮|(?:小说|剧本|故事|游戏)(?:里|中|的)?(?:主角|人物|角色|写着|设定)|人物设定|角色设定"
    r"|模拟(?:一?[段下场]|面试|客服|对话)|(?:现在|假定|设想)?我(?:就)?是皇[帝上]|你(?:是|来当|就当)(?:我的)?(?:大臣|侦探|面试官|店员|魔法师|医生|老师|顾客|客服)(?:[，,]|$)",
    r"写(?:一?[段份篇个])?.{0,6}(?:自我介绍|人设|独白|日记|小说|剧本|故事|作文|简介)",
    r"\brole-?\s?play|\bpretend (?:that )?(?:to be|I'?m|you'?re|you are|I am|we)|\bcharacter sheet|\bin my (?:novel|story|screenplay|game|book)\b|\bact as my\b"
    r"|\b(?:dialogue|interview|conversation) practice\b|\byou(?:'re| are) an? [a-z]+ and I(?:'m| am)\b|\bI'?ll be (?-i:[A-Z])\w+\b|\bplay the (?:role|part)\b",
    r"\b(?:write|draft|make up|compose|generate)\b[^.\n]{0,30}\b(?:bio|story|poem|monologue|profile|letter|intro\w*|dialogue|script|essay)\b[^.\n]{0,20}\b(?:says?|saying|where|about|in which|that|with)\b",
)
_QUOTE_INTRO = _re(
    r"(?:下面|以下|下述|这|上面)(?:这段)?是.{0,12}(?:自我介绍|原话|的话|消息|邮件|留言|帖子|简历|聊天记录|原文|回复|内容)|(?:客户|用户|对方|他|她|老板|同事)原话|原话(?:是|：|:)"
    r"|歌词(?:是|里|：|:)|台词|文章(?:里|中)?(?:写|说|提到)|(?:书|新闻|报纸|网上|知乎|微博|小红书|评论|论坛|帖子)(?:里|上|中)?(?:有人)?(?:说|写|讲|提到|看到)|有句(?:话|歌词|老话)|俗话说|转发[:：]|(?:造句|翻译|改写|润色|例句|作文|仿写|续写|缩写|扩写|纠错)[^。\n]{0,12}[:：]"
    r"|(?:听说|据说|有人说)",
    r"\b(?:from|in) the (?:email|letter|article|book|review|ticket|chat|transcript)\b(?!.{0,40}\bI (?:said|gave|told|mentioned)\b)|\b(?:review|lyrics|article|sign|poster|ad|caption|headline|email|book) (?:says?|goes?|reads?|claims?)\b"
    r"|\baccording to\b|\bhere(?:'s| is) (?:a|an|the|my|what) [^.\n:]{0,30}(?:message|email|note|letter|review|post|quote|wrote|said)\b|\bhow (?:do|would) you say\b|\btranslate\b|(?<!let me )\b(?:rewrite|rephrase|paraphrase|proofread|correct|edit|shorten|summari[sz]e|improve|fix|check|polish)\b[^.:\n]{0,24}:",
)
_JOKE = _re(
    r"开(?:个)?玩笑|逗你(?:玩|的)|骗你的|瞎说的|胡说的|\[(?:狗头|doge|滑稽|坏笑)\]|狗头|(?:^|[\s，,。])doge\b|🐶|才怪|是是是",
    r"\bjust kidding\b|\bjk\b|\bkidding\b|\bjoking\b|(?:^|\s)/s\b|\blmf?ao\b|\brofl\b|\.\.\.\s?not\b|\bnot!$|\byeah,? right\b|\boh,? sure\b|\bas if\b|\bsarcas",
)
_SARCASM = _re(
    r"我(?:可)?真(?:是|的是)(?:个|太)|太(?:喜欢|爱)(?:加班|上班|开会|堵车|早起).{0,3}[呢了]|最爱(?:加班|开会|上班)"
)
_LAUGHTER = _re(r"哈{2,}|嘿{2,}|呵呵|笑死|😂|🤣|😅|😆|2333", r"\b(?:lol|haha\w*|hehe|lulz)\b")
_DO_NOT_REMEMBER = _re(
    r"(?:别|不要|不用|不必|不需要|先别|勿|甭|不许|无需)(?:再)?(?:给我|帮我|把这个?|往心里)?(?:记(?!账|得|错|者|性|仇|录仪|号)|保存|存档|存下|存进|记录|收录|写进|写入)(?!了?吧?.{0,2}着了)",
    r"这(?:个|条|件事|事儿?|话|段)?(?:只|就)?(?:是)?(?:你知我知|保密|不用进记忆)|随口一说|就当(?:我)?没说",
    r"\b(?:do not|don't|dont|please don't|never|no need to|needn't|not to|without) (?:need to )?(?:save|sav|stor|store|remember|record|keep|log|note|memori[sz]e|write)(?:ing)? (?:this|that|it\b|any of (?:this|it)|what I)",
    r"\boff the record\b|\bbetween (?:us|you and me)\b|\bshould(?: not|n't) be (?:kept|saved|stored|remembered)|\bnot for (?:the record|your memory)\b|\bforget I said\b",
)
_FORGET = _re(
    r"^(?!我)(?:.{0,12}?)(?:忘掉|忘了|忘记|忘却|遗忘|抹掉|抹去|清空|清除)(?:刚才|刚刚|之前|以前|先前|上次|昨天|那个|那条|那些|这个|这条|你|我|所有|关于|一切|全部|吧|掉)",
    r"^(?!我)(?:.{0,10}?)(?:删除|删掉|删了|移除|清掉|去掉|撤销|撤回).{0,8}(?:记的|记住|记忆|存的|保存的|关于我|我说过|我告诉|说过的)",
    r"^(?:请|麻烦)?(?:你|帮我)?(?:忘掉|忘了|忘记|删掉|删除|抹掉|去掉)(?:我)?.{1,16}?(?:那个|那条|那件事|这条|这件事|的事|的事情)(?:吧)?$",
    r"关于.{1,14}(?:的)?(?:那条)?记忆.{0,4}(?:删|清|忘)|把.{1,16}(?:忘了|忘掉|忘记|删了吧|从记忆)|(?:请你?|麻烦)(?:把.{0,12})?忘(?:掉|了|记)$",
    r"(?:不用|不要|不必|别|不需要|没必要)(?:再|继续)记(?:得|着|住|录)?|别记着了",
    r"^(?:please |can you |could you )?forget (?:about )?(?:the|that) [^.,;!?]{2,40}$",
    r"\b(?:forget|erase|wipe|unlearn)\b(?! to\b)[^.\n]{0,30}\b(?:what I|everything|anything|about (?:me|my)|that I|my|that last|the last|the \w+ (?:\w+ )?I|all (?:you|about)|me$)",
    r"把.{1,24}?(?:记忆|记录|那条|这条).{0,4}(?:删|清|抹|去掉)",
    r"^(?:请|麻烦)?(?:你|帮我)?(?:删掉|删除|清除|移除|抹掉)我.{1,24}?(?:记录|记忆|这条|那条|这件事)",
    r"^(?:please )?(?:delete|remove|erase|drop)(?: the (?:fact|memory|note))? that I\b|^(?:please )?(?:delete|remove|erase|clear) my [\w' -]{2,40} preferences?\b",
    r"\bI (?:don't|do not|don’t) want you to (?:remember|keep|know|store)\b",
    r"\b(?:delete|remove|clear|drop|purge|scrub|wipe|erase)\b[^.\n]{0,120}\bfrom (?:your|the) memory\b",
    r"\b(?:delete|remove|clear|drop|purge|scrub|wipe)\b[^.\n]{0,50}\b(?:memor(?:y|ies)|you (?:stored|saved|know|remember|have on|kept|noted)|about me|I (?:told|gave|mentioned|shared)|what I (?:said|told))",
    r"\byou (?:don't|do not|no longer|needn't) (?:need to |have to )?(?:remember|keep|store|know)\b|\bstop remembering\b",
)
_NOT_FORGET = _re(
    r"别忘|不要忘|没忘|不会忘|忘不|难忘|忘了(?:带|拿|密码|说|告诉|关|锁)|我(?:又)?(?:忘|给忘)|以后要?记住",
    r"\b(?:don't|do not|never|didn't|won't|can't|I|to|we) (?:ever |always |never |often |usually |sometimes |keep |tend to )*forget\b|\bforget it\b|\bforgot\b",
)
_ZH_ASKS = _re(
    r"[吗嘛么]$|(?:啥|什么|咋)(?!都|也)|怎么(?!都|也|说呢)|怎样|如何|为何|为什么|(?<![无论管])哪(?!怕|都|儿都|里都|吒)|谁(?!都|也)|(?<![前这那好近十])几(?:点|号|度|岁|天|个|月|次|多|时)(?![半钟]?(?:了|前|后|都|以))|多少|多久|多(?:大|远|长|高)(?:$|[啊呀了呢])"
    r"|(?:是|能|会|要|该|好|对|行|可|有|想|用|去|喜欢?|知|应)不(?:是|能|会|要|该|好|对|行|可以?|有|想|用|去|喜欢|知道|应)|有没有|是否|难道|来着$|呢$|(?:吧|啊)？$|还是.{1,12}[呢啊]?$(?<![了的])"
)
_ZH_ASKS_NOT = _re(
    r"没什么|什么的|不知道.{0,4}(?:怎么|什么)|没(?:有)?谁|多少有点|怎么也|不管|无论|呢$(?<=着呢)|没啥|还是(?:比较|更|喜欢|老样子|很|挺|得|要|会|没|不|有点|想|用|住|在)"
)
_EN_ASKS = _re(
    r"^(?:so |and |but |hey |ok |well )?(?:what|what's|whats|who|who's|whom|whose|which|why|how)\b(?! I (?:like|do|love|want|need) (?:is|are)| (?:I|we)(?:'ve| have)? (?:just )?(?:said|told you|mentioned|discussed)\b)",
    r"^(?:so |and |but )?(?:where|when|how) (?:is|are|was|were|do|does|did|can|could|should|would|will|am|have|has)\b",
    r"^(?:so |and |but |or )?(?:do|does|did|is|are|am|was|were|can|could|should|would|will|shall|has|have|had|may|isn't|aren't|don't|doesn't|won't|can't|wouldn't|shouldn't)"
    r" (?:i|you|he|she|it|they|we|there|this|that|these|those|the|my|your|our|his|her|any|anyone|anybody|someone|people|dogs|cats|\w+s) ",
    r"\bany (?:idea|suggestions|tips)\b",
)
_ZH_IF = _re(
    r"如果|要是|假如|假设|假若|倘若|假使|万一|就算|即使|哪怕|比方说|比如说?我|早知道|要不是|可能(?:会|要|就|得|是)|也许|说不定|或许|没准|大概(?:会|要)|(?:我|也)该(?:改|去|换|学|吃|不)|就好了"
    r"|还没(?:定|想好|决定)|也可能|想象|设想|梦到|梦见|梦里|下辈子|恨不得|幻想|巴不得"
)
_EN_IF = _re(
    r"(?<!even )\bif (?:i|we|you|it|only|my|there|someone|a )\b|\bsuppos(?:e|ing)\b|\bimagine\b|\blet'?s say\b|^say (?:i|my)\b|\bassum(?:e|ing)\b|\bwhat if\b|\bI wish\b|\bhypothetically\b|\bI (?:might|may|could)\b"
    r"|\b(?:maybe|perhaps)\b|\bin (?:another|a past|my next) life\b|\bI would(?!n't| rather| prefer)\b|\bI'd (?:be|have|probably|go|do|eat|live|say|love|consider)\b|\bcould have\b|\bwould have\b|\bI dreamed\b|\bwho knows\b"
)
_REMINDER = _re(
    r"提醒我|通知我|叫我一声|喊我|催我|别让我忘",
    r"\bremind me\b|\bnotify me\b|\bping me\b|\balert me\b|\bloop in\b|\bcc (?:me|my)\b",
)
_STANDING = _re(
    r"以后|今后|从今|从现在|从此|往后|将来都|每次|每回|凡是|一律|默认|统一|都给我|给我的.{0,8}都|别再|不要再|别出现|不许|禁止|必须|一概|所有.{0,6}都|都这样|超过.{0,12}(?:都)?要",
    r"\b(?:from now on|going forward|from here on|always|never|by default|in (?:the )?future|next time|whenever|every time|at all times|anymore|as a rule|without exception|stop (?:giv|suggest|recommend|us|send|call|add|mak|show)\w*)\b"
    r"|\ball my\b|^(?:please )?keep (?:your|all|my|emails?|repl(?:y|ies)|answers?|messages?|code|summar(?:y|ies)|explanations?)\b|^(?:please )?use (?:metric|celsius|fahrenheit|\w+ units)|\bonly (?:text|call|email|message) me\b|\bdon't (?:put|use|add|give me|call me|send me|recommend|suggest|show me|include|write)\b"
    r"|\bwhen(?:ever)? (?:you|I ask)\b|\bfor (?:all|any|every)\b",
)
_ONCE = _re(
    r"这次|这一次|本次|这段|这篇|这个|上面|刚才|这里|第[一二三四五六七八九十\d]+(?:行|步|段|点|列|页)",
    r"\bthis (?:time|one|text|article|paragraph)\b|\babove\b|\bfor now\b",
)
_ZH_REQUEST = _re(
    r"^(?:请|麻烦你?|劳驾|拜托|能?帮(?:我|忙)|给我|替我|帮|求)(?!记)",
    r"^(?:再)?(?:推荐|讲讲|(?:讲|写|找|查|算|画|订|买|发|搜|举|做)(?=[一个张下点几两三首段份篇家杯给出看些封条找]|$)|翻译|列出?|总结|生成|做一?[个份张]|解释|分析(?!师)|对比|看看|打开|关掉|告诉我|说说|介绍一?下?(?!我)|整理|润色|改写|改成|换成|把|将|用.{1,16}(?:写|列|画|回答|做)|来[一个点段首份]|检查(?!结果|报告|出)|优化一?下?|计算|安排一下|展示|继续|输出|创建|新建|添加|删除|移除)",
    r"我(?:想|要|需要|希望)(?:让|请|你|一[份个张段篇些本]|个|问|知道|了解|咨询|看看|找|查|订|申请|退|改一下)|^(?:想|需)要?(?:一个|个|一份|找|问|知道)|(?:怎么样|好不好|行不行|可以吗)$",
)
_EN_REQUEST = _re(
    r"^(?:please |pls |kindly |just |now |then |and |ok |also )*(?:book|write|summari[sz]e|recommend|translate|find|make|give|explain|show|help|remove|delete|add|create|generate|check|list|tell|compare|fix|draft|search|look|send|call|plan|suggest|convert"
    r"|sort|calculate|compute|describe|rewrite|edit|change|update|set|turn|put|open|read|run|play|order|cancel|schedule|let'?s|let me|do|try|go|get|bring|use|answer|reply|say|repeat|ignore|disregard|continue|stop|design|build|think|take|keep|export|format|"
    r"include|replace|rename|move|copy|insert|address|walk|proofread|review|outline|brainstorm|analy[sz]e|come|pick|choose|share|print|render|finish|start)\b(?! (?:me dee|me [A-Z]))",
    r"\bI (?:want|need|would like|'d like|wanted) (?:you|to (?:update|override|change|know|ask|book|order|return|cancel|check|see|get|schedule|make|find|talk|have a)|an?\b|some|help|the)|\bI'd like (?:you|to|an?|some|the)\b|\bI'm looking for\b|\b(?:can|could|would|will) you\b",
)
_ZH_LEAD = re.compile(
    r"^(?:嗯+|哦+|噢|啊|唉|哎呀?|诶|欸|呃|额|好(?:的|吧|嘞|啊)?(?=$|[，,。\s])|行(?:吧)?(?=$|[，,。\s])|对了?(?=$|[，,。\s])|是的|那个|就是说?|其实(?=我|俺|本)|反正|总之|顺便(?:说一?[句下]|提一?[句下])?|另外|此外|除此之外|除了这[个些]|再就是|还有(?!我)|对了|然后|而且|不过|但是?|因为|所以(?:说)?|老实说|说实话|讲真的?|话说"
    r"|补充一?[下点]|谢谢|多谢|哈+(?=$|[，,。！!～~\s])|嘿+|emm+|介绍一?下(?:我自己|自己)?|自我介绍一?下|我?(?:跟|和)你说(?:一?[下声])?|告诉你|(?:再)?提醒你一[下声]|你知道吗|先说一?[下声]|说一?[下声]|ps|btw|fyi|hi|hello|你好|大家好|您好|你们好|早(?:上好|安)?(?=$|[，,。！!～~\s])|不是(?=$|[，,])|[\s，,。.:：~、!！*·\-]+)",
    re.IGNORECASE,
)
_EN_LEAD = re.compile(
    r"^(?:well|so|ok(?:ay)?|oh|ah|ugh|hmm+|um+|uh|yeah|yes|yep|no(?=,)|nah|nope|anyway|btw|by the way|also|and|but|actually|honestly|hi|hello|hey|thanks|thank you|lol|haha\w*|to be honest|look|in addition|on the side|on top of that|apart from that|besides(?: that)?|plus|tbh|because|though|sorry|great|sure|right|cool|nice|good morning"
    r"|in fact|then|listen|just so you know|just fyi|ps|p\.s\.|hi there|hey there|dear \w+)\b(?!\s+(?:of|at|with|for|up|is|was|not)\b)[\s,.:;!\-–—]*|^[\s,.:;!\-–—*·]+",
    re.IGNORECASE,
)
_ZH_COMMAND = re.compile(
    r"^(?:请|麻烦你?|拜托|帮我|给我|你|务必|千万|一定)*(?:要|得|可)?(?:记住|记一下|记下来?|记着|记得(?=我)|记好|别忘了|不要忘了|备注一?下?|存一?下|记录一下|记牢)(?:这[个点条]|一下|了|哦|啊)*[，,：:\s]*"
)
_EN_COMMAND = re.compile(
    r"^(?:please |pls |kindly |can you |could you |just |you (?:should|must) |always |and |also )*(?:remember(?! when| to)|note(?: to self)?(?= that|:| down|$)|make a note|take note|keep in mind|bear in mind|don't forget(?! to)|do not forget(?! to)|save this|for the record|fyi|for your information|just so you know|heads up|for reference|write down|jot down|store)"
    r"(?: this| that| down| of the fact| the fact| in mind)*(?:[\s,:;\-–—]+(?:that )?|$)",
    re.IGNORECASE,
)
_ZH_STANDING_LEAD = re.compile(
    r"^(?:那|请|你)?(?:以后|今后|从今(?:天)?(?:往后|以后|起)?|从现在(?:起|开始)?|往后|从此|下次)(?:的话|都|请|呢|你|要|就|，)*"
)
_EN_STANDING_LEAD = re.compile(
    r"^(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|next time|as of now)[\s,:]*(?:please )?",
    re.IGNORECASE,
)


def perceive(message: Message) -> list[Statement]:
    """Each clause of the message with its kind of speech; empty unless the speaker is the user."""
    if message.role != "user":
        return []
    text, quoted = blank(message.content)
    pieces = clauses(text, quoted)
    overall = _overall(text)
    if overall:
        return [_statement(piece, overall) for piece in pieces]
    return _by_clause(text, pieces)


def _overall(text: str) -> Speech | None:
    if _DO_NOT_REMEMBER.search(text) and not _FORGET.search(text):
        return "do not remember"
    if _ROLE_PLAY.search(text):
        return "role play"
    if _JOKE.search(text) or _SARCASM.search(text):
        return "joke"
    if _LAUGHTER.search(text) and (ABSURD_ZH.search(text) or ABSURD_EN.search(text)):
        return "joke"
    return None


def _by_clause(text: str, pieces: list[Clause]) -> list[Statement]:
    intro = _QUOTE_INTRO.search(text)
    light = {piece.sentence for piece in pieces if _LAUGHTER.search(piece.text) and _after_words(piece.text)}
    found: list[Statement] = []
    explicit = standing = False
    supposing = -1
    for index, piece in enumerate(pieces):
        statement = _lead_off(_statement(piece, "statement"))
        new_sentence = index > 0 and piece.sentence != pieces[index - 1].sentence
        carried_on = not new_sentence or not pieces[index - 1].text.strip()
        explicit = statement.explicit or (explicit and (carried_on or _bare_command(found)))
        standing = statement.standing or (standing and not new_sentence)
        statement = replace(
            statement, explicit=explicit, standing=standing, light=piece.sentence in light and not explicit
        )
        if intro and intro.start() < piece.start + len(piece.text):
            speech: Speech = "quote"
        else:
            speech = _speech(statement, piece, supposing == piece.sentence)
        supposing = piece.sentence if speech == "hypothetical" else supposing
        found.append(replace(statement, speech=speech))
    return found


def _after_words(text: str) -> bool:
    found = _LAUGHTER.search(text)
    return found is not None and (found.start() > 4 or (found.start() == 0 and len(text) <= found.end() + 2))


def _bare_command(found: list[Statement]) -> bool:
    return bool(found) and found[-1].explicit and not found[-1].text


def _statement(piece: Clause, speech: Speech) -> Statement:
    language: Language = "zh" if is_chinese(piece.text) else "en"
    return Statement(piece.text, piece.text, speech, language, piece.sentence)


def _lead_off(statement: Statement) -> Statement:
    text, explicit, standing = statement.text, False, bool(_STANDING.search(statement.text))
    lead, command, always = (
        (_ZH_LEAD, _ZH_COMMAND, _ZH_STANDING_LEAD)
        if statement.language == "zh"
        else (_EN_LEAD, _EN_COMMAND, _EN_STANDING_LEAD)
    )
    for _ in range(6):
        shorter = lead.sub("", text, count=1)
        commanded = command.sub("", shorter, count=1)
        ahead = always.sub("", commanded, count=1)
        explicit = explicit or commanded != shorter
        standing = standing or ahead != commanded
        if ahead == text:
            break
        text = ahead
    return replace(statement, text=text.strip(), explicit=explicit, standing=standing)


def _speech(statement: Statement, piece: Clause, supposing: bool) -> Speech:
    if piece.quoted:
        return "quote"
    if _FORGET.search(piece.text) and not _NOT_FORGET.search(piece.text):
        return "forget request"
    if not statement.text:
        return "chatter"
    if _is_question(statement, piece):
        return "question"
    if supposing or _is_hypothetical(statement):
        return "hypothetical"
    if _is_request(statement):
        return "request"
    return "statement"


def _is_question(statement: Statement, piece: Clause) -> bool:
    if piece.asked and piece.last:
        return True
    if statement.language == "zh":
        return bool(_ZH_ASKS.search(statement.text)) and not _ZH_ASKS_NOT.search(statement.text)
    return bool(_EN_ASKS.search(statement.text))


def _is_hypothetical(statement: Statement) -> bool:
    if statement.standing and _REMINDER.search(statement.text):
        return False
    return bool((_ZH_IF if statement.language == "zh" else _EN_IF).search(statement.text))


def _is_request(statement: Statement) -> bool:
    text = statement.text
    if statement.language == "zh" and re.search(r"了[啊呀吧]?$", text) and not text.startswith(("请", "帮", "给我")):
        return False
    if re.search(r"(?:称呼|喊|叫)我(?!一声)", text):
        return False
    if _ONCE.search(text) and not statement.standing:
        return bool((_ZH_REQUEST if statement.language == "zh" else _EN_REQUEST).search(text))
    if statement.standing or _REMINDER.search(text) or statement.explicit:
        return False
    return bool((_ZH_REQUEST if statement.language == "zh" else _EN_REQUEST).search(text))
