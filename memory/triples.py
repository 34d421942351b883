"""Who or what stands in which relation to what, read from one sentence: "Lin works on Apollo", "React 有自己的工具包".

Only named things count: a person's or product's name, or a noun that tells which one ("AI 助手项目"). The person who
speaks is nobody here: everything would hang together through him.
"""

import re
from dataclasses import dataclass

from memory.lexicon import SURNAMES
from memory.model import Remembered
from memory.rules import pattern
from memory.tokenizer import content_key

_LONGEST_NAME = 8
"""Words (Chinese: characters) of a name that is looked for in a question."""
NAMES = "names"
"""The relation from another name to what goes by it."""
_HEAD = 60
_SPEAKER = frozenset(("user", "用户"))


@dataclass(frozen=True, slots=True)
class Triple:
    """Head, relation, tail, in the words of the sentence."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Link:
    """One relation and the sentences that tell it; their groups `h` and `t` are what it joins."""

    relation: str
    sentence: re.Pattern[str]


_H = r"(?P<h>[^，。,.:：]{1,24}?)"
_ADV = r"(?:最近|现在|目前|正在|一直|主要|都|还|也|刚|已经)*"
_EN_ADV = r"(?:(?:is|are|has been|currently|now|also|still|mainly|just)\s+)*"
_DET = r"(?:the |its own |their own |an? |our )?"
_T = r"(?P<t>[^，。]{1,30}?)"
_FOR = r"(?: (?:for|as|to|in|with|on) [\w -]+)?"
SWITCHED = "uses now"
"""The relation of what takes the place of what was used before."""
LINKS = tuple(
    Link(relation, pattern(rf"^{sentence}$"))
    for relation, sentence in (
        ("works on", rf"{_H}{_ADV}(?:在)?(?:做|负责|开发|维护|参与|主导|带)(?:着|的是|了|过)?\s*{_T}"),
        ("works at", rf"{_H}{_ADV}在\s*{_T}(?:工作|上班|任职|实习|做事)"),
        ("uses", rf"{_H}{_ADV}在?(?:用|使用|采用|基于|依赖|跑在|部署在)(?:的是|的|了|着)?\s*{_T}(?:开发|写|做|搭|上)?的?"),
        ("has", rf"{_H}{_ADV}(?:有|自带|提供|内置|附带|包含)(?:自己的|一个|一套|一款|了|着)*\s*{_T}"),
        ("belongs to", rf"{_H}{_ADV}(?:属于|隶属于?|归属于?)\s*{_T}(?:管|的)?"),
        ("is led by", rf"{_H}(?:的)?(?:负责人|经理|组长|老板|领导|主管|作者)(?:就)?是\s*{_T}"),
        ("reports to", rf"{_H}{_ADV}(?:向|给){_T}汇报(?:工作)?"),
        ("leads", rf"{_H}(?:就)?是\s*{_T}的(?:负责人|经理|组长|主管|作者|维护者|产品经理|架构师|成员|创始人|老板|领导|导师|上司|接口人|对接人)"),
        ("is led by", rf"{_H}{_ADV}(?:归|由|被)\s*{_T}(?:来)?(?:管理?|负责|维护|开发|带|运营|主导|做|运维|设计|写)的?"),
        ("is related to", rf"{_H}的(?:导师|师傅|搭档|同事|上司|上级|老师|客户|供应商|助理|老婆|老公|妻子|丈夫|爸爸|妈妈|姐姐|妹妹|哥哥|弟弟|房东|教练|医生)(?:就)?是\s*{_T}"),
        ("works at", rf"{_H}{_ADV}(?:在|加入了?|进了?|调到了?|转到了?)\s*(?P<t>[^，。]{{1,16}}(?:组|团队|部门?|公司|实验室|工作室|学院|大学|医院|银行|事业部|中心))(?:了)?"),
        ("works at", rf"{_H}{_ADV}在\s*{_T}(?:做|当|读|教|学|负责)[^，。]{{1,10}}"),
        ("uses", rf"{_H}{_ADV}用\s*(?P<t>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*|飞书|钉钉|企业微信|微信|石墨文档|语雀)\s*[^，。A-Za-z]{{1,8}}"),
        (SWITCHED, rf"{_H}{_ADV}(?:改用|换成|换用|改成用?|迁移到|迁到|切换到|升级到|换到)了?\s*{_T}(?:上)?了?"),
        ("is led by", rf"{_H}['’]s (?:manager|boss|lead|team lead|supervisor|owner|maintainer|head) is {_DET}{_T}"),
        ("is related to", rf"{_H}['’]s (?:mentor|advisor|tutor|assistant|partner|colleague|doctor|coach|client|wife|husband|girlfriend|boyfriend|sister|brother|mother|father|teacher|landlord|supplier) is {_DET}{_T}"),
        ("leads", rf"{_H}\s+{_EN_ADV}(?:the |an? )?(?:lead|manager|head|owner|maintainer|author|founder|director|product owner|member|CTO|CEO|designer|architect) (?:of|for|at|on) {_DET}{_T}"),
        ("is related to", rf"{_H}\s+{_EN_ADV}(?:married|engaged|related) to {_T}"),
        ("works at", rf"{_H}\s+{_EN_ADV}(?:works?|working|employed|stud(?:y|ies|ying)|interns?|interning|sits?|teaches|teaching) (?:at|in|with|for) {_DET}{_T}"),
        ("works on", rf"{_H}\s+(?:has |have )?(?:joined|transferred to) {_DET}{_T}"),
        ("works on", rf"{_H}\s+{_EN_ADV}(?:owns?|owning|runs?|running|manages?|managing|oversees?|supports?|looks after|handles?) {_DET}{_T}"),
        ("is led by", rf"{_H}\s+{_EN_ADV}(?:was |were )?(?:maintained|owned|developed|built|designed|supported|operated|handled|made|written|funded|supervised|mentored|coached|taught) by {_DET}{_T}"),
        ("runs on", rf"{_H}\s+{_EN_ADV}(?:hosted|deployed|running|located|stored|kept) (?:on|at|in|by|with) {_DET}{_T}"),
        (SWITCHED, rf"{_H}\s+(?:has |have |was |were |is |now )*(?:switched|migrated|ported|upgraded|converted|switching) (?:over )?to {_DET}{_T}(?: now)?"),
        ("works on", rf"{_H}\s+{_EN_ADV}(?:works?|working|worked) (?:on|for) {_DET}{_T}"),
        ("works at", rf"{_H}\s+{_EN_ADV}(?:works?|working) (?:at|in) {_DET}{_T}"),
        ("works on", rf"{_H}\s+{_EN_ADV}(?:leads?|leading|maintains?|develops?|builds?|building) {_DET}{_T}"),
        ("uses", rf"{_H}\s+{_EN_ADV}(?:uses?|using|runs on|depends on|relies on|(?:built|written|based) (?:with|on|in)) {_DET}{_T}{_FOR}"),
        ("has", rf"{_H}\s+{_EN_ADV}(?:has|comes with|ships with|provides|offers|includes) {_DET}{_T}"),
        ("belongs to", rf"{_H}\s+{_EN_ADV}(?:belongs to|part of|owned by) {_DET}{_T}"),
        ("is led by", rf"{_H}\s+{_EN_ADV}(?:led|managed|run) by {_DET}{_T}"),
        ("reports to", rf"{_H}\s+{_EN_ADV}(?:reports|reporting) to {_DET}{_T}"),
    )
)  # fmt: skip
_THING_ZH = r"云|服务器|数据库|机房|集群|项目组?|实验室|学院|大学|医院|银行|工作室|事业部|中心|插件|系统|平台|服务|产品|模块|工程|应用|小程序|网站|团队|小组|部门|公司|框架|助手|仓库|工具包|工具|组件库|引擎"
_CALLED = re.compile(
    rf"^(?:[小老阿](?![时孩心区学声说程事吃道众型组家板师])[\u4e00-\u9fff]|(?=[{''.join(sorted(SURNAMES))}])[\u4e00-\u9fff]{{2,3}}|[^我你他她它这那哪谁]{{1,14}}?(?:{_THING_ZH}))$"
)
_PERSON = re.compile(rf"^(?:[小老阿][\u4e00-\u9fff]|[{''.join(sorted(SURNAMES))}][\u4e00-\u9fff]{{1,2}})$")
_NO_PERSON = re.compile(
    r"周[一二三四五六日末天内]|高中|初中|马上|白天|平时|常年|金融|方便|时候|温州|程序|安排|成天|向来|于是|方案|高考|全家|全职|单身|单位|路上|车上|林场|江边|石油|黄昏|后来|何时|季度|连续|阳台|柏林|曾经|严格|[小老](?:时|区|学|声|说|程|事|家|师|是|了|想|板|公|婆)|易|应该|钱|白|康复|温度|古|贺|洪|万一|万事|段时间|祖|华语|华为|费用|管理"
)
_LATIN_NAME = re.compile(r"^(?:project )?[A-Z][\w.+#'-]*(?: (?:[A-Z0-9][\w.+#'-]*|of|and|project|team|app|service))*$")
_TOOL_ZH = re.compile(r"^(?:飞书|钉钉|企业微信|微信|石墨文档|语雀|金蝶|用友|墨刀|剪映)$")
_NO_NAME = re.compile(
    r"^(?:I|It|This|That|There|They|He|She|We|You|What|Who|Which|How|Everyone|Somebody|Someone|People|My|Our|Your|His|Her|Their|The|A(?= )|An|And|But|So|If|When|Today|Yesterday|Tomorrow|Please|Can|Could|Would|Do|Does|Is|Are|No|Not|Yes|Ok|Okay|Also|Then|Here)\b|[我你他她它这那哪谁]"
)
_KIND_WORD = re.compile(r"^(?:the )?project (?=\S)|(?<=\S) ?(?:project|项目组?)$|^the ", re.IGNORECASE)
_ARTICLE = re.compile(r"^[Tt]he (?=[A-Z])")
_OWNED = re.compile(r"['’]s\b")
_UNITS = re.compile(r"[a-z0-9][a-z0-9.+#_'-]*|[^\W\d_a-z]", re.IGNORECASE)
_THING = re.compile(
    rf"^[^我你他她它这那哪谁]{{1,20}}(?:{_THING_ZH})$|^[\w .+#'-]{{2,30}}\b(?:project|system|platform|service|product|module|app|team|company|framework|library|toolkit|tool|plugin|database|engine|assistant|repo|repository|cluster|office|lab|department|division|university|school|bank|hospital|agency|studio|warehouse|branch|group|program(?:me)?|course|pipeline|server|website|editor|dashboard|tracker|calendar|bot|console)s?$",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"[（(]\s*(?:又名|又叫|也叫|别名|简称|aka|a\.k\.a\.|also (?:called|known as))[:：]?\s*(?P<names>[^()（）]{1,200})[)）]",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[^。！？!?\n]+?(?=[。！？!?\n]|\.\s|\.?$)")
_BETWEEN_NAMES = re.compile(r"\s*[,，、;；]\s*")
_VAGUE_TAIL = re.compile(
    r"^(?:[我你他她它这那哪谁什]|it\b|this\b|that\b|them\b|how\b|what\b|to\b)|[吗呢吧?？]$", re.IGNORECASE
)


def triple_of(sentence: str) -> Triple | None:
    """What one sentence says about two named things; None for all others."""
    for link in LINKS:
        found = link.sentence.match(sentence.strip(" 。.!！"))
        if found is None:
            continue
        head, tail = found["h"].strip(), found["t"].strip()
        if (is_name(head) or _is_known_thing(head)) and _is_told(tail) and key_of(head) != key_of(tail):
            return Triple(head, link.relation, tail)
    return None


def _is_known_thing(head: str) -> bool:
    """Whether a head is a thing that is told which one: "the billing service"."""
    return bool(re.match(r"the \w", head, re.IGNORECASE)) and bool(_THING.match(head[4:])) and " " in head[4:]


def _is_told(tail: str) -> bool:
    return not _VAGUE_TAIL.search(tail) and (is_name(tail) or bool(_THING.match(tail) or _TOOL_ZH.match(tail)))


def triples_of(memory: Remembered) -> list[Triple]:
    """The relations that a memory tells, by its slot and by its words; none for turns of talk and denials."""
    if memory.category == "conversation_history" or not memory.polarity:
        return []
    told = _ALSO.sub("", memory.content).strip()
    first = _FIRST.match(told)
    found = [triple for triple in (_by_slot(memory), triple_of(first.group() if first else told)) if triple]
    called = found[0].head if found else told[:_HEAD]
    found += [Triple(name, NAMES, called) for name in names_of(memory.content) if key_of(name) != key_of(called)]
    return list({(key_of(each.head), key_of(each.tail)): each for each in found}.values())


def names_of(content: str) -> list[str]:
    """The names by which a memory's words say that it goes: "Kubernetes (also called k8s, kube): ..."."""
    listed = [name for found in _ALSO.finditer(content) for name in _BETWEEN_NAMES.split(found["names"])]
    return [name for name in dict.fromkeys(listed) if name]


def _by_slot(memory: Remembered) -> Triple | None:
    if memory.slot is None or not memory.value or memory.slot.subject.lower() in _SPEAKER:
        return None
    relation = memory.slot.attribute.partition(":")[0]
    return Triple(memory.slot.subject, relation, memory.value)


def is_name(words: str) -> bool:
    """Whether these words name one person or thing."""
    words = _ARTICLE.sub("", words)
    if _NO_NAME.search(words):
        return False
    return bool(_CALLED.match(words) or _LATIN_NAME.match(words))


def is_person(words: str) -> bool:
    """Whether these words are a Chinese person's name or nickname."""
    return bool(_PERSON.match(words)) and not _NO_PERSON.match(words)


def key_of(name: str) -> str:
    """What two writings of a name share: "the Apollo project" and "Apollo"; case and spacing don't count."""
    name = _OWNED.sub("", name)
    short = _KIND_WORD.sub("", _KIND_WORD.sub("", name.strip()))
    return content_key(short or name).replace(" ", "")


def words_in(question: str) -> list[str]:
    """The words of a question that are written in letters, each once."""
    return list(dict.fromkeys(unit.lower() for unit in _UNITS.findall(_OWNED.sub(" ", question)) if unit.isalpha()))


def keys_in(question: str) -> set[str]:
    """The keys that names in a question could have: every run of at most eight words or characters."""
    units = [unit.lower() for unit in _UNITS.findall(_OWNED.sub(" ", question))]
    runs = ("".join(units[i : i + size]) for size in range(1, _LONGEST_NAME + 1) for i in range(len(units) - size + 1))
    # A single letter or character stands in too many questions to name a thing.
    return {key for run in runs if len(key := content_key(run).replace(" ", "")) > 1}
