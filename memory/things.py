"""Kinds of things by which people point at what they told: "that restaurant", "the number", "那位同事".

A kind says how it is called when somebody points at it, and by what a memory shows that it is of this kind, though the
two may share no word: "the shop" for "Kaffeewerk in Elm Street sells beans".
"""

import re
from dataclasses import dataclass

from memory.lexicon import OTHERS_EN, OTHERS_ZH
from memory.model import Remembered
from memory.rules import pattern


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of thing."""

    name: str
    called: re.Pattern[str]
    """Stands in the words that point at it."""
    shown: re.Pattern[str]
    """Stands in what a memory of it says."""
    attributes: frozenset[str] = frozenset()
    """Families of slots that are of this kind whatever the words."""


def _thing(name: str, called: str, shown: str, *attributes: str) -> Thing:
    return Thing(name, pattern(called), pattern(shown), frozenset(attributes))


_DIGITS = r"\d|[一二两三四五六七八九十百千万亿]+(?:个|元|块|万|人|天|次|页|份|台|箱|%|％|成)"
_DATE = r"\d{1,2}(?:月|号|日|点|:\d\d)|周[一二三四五六日末]|星期.|礼拜.|[明后]天|[上下]午|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w*\b|\b\d{1,2}(?:st|nd|rd|th|am|pm|:\d\d)\b|\btomorrow\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|\d+) o'?clock\b"  # fmt: skip
_PLACES_TO_EAT = r"餐|饭[店馆庄]|馆子?|火锅|烧烤|烤[肉鸭鱼]|面[馆店]|菜馆|料理|日料|寿司|拉面|小吃|食堂|私房菜|茶餐厅|大排档|\brestaurants?\b|\bdiner\b|\bbistro\b|\bpizz\w+|\btrattoria\b|\bosteria\b|\bsushi\b|\bramen\b|\bnoodles?\b|\btaqueria\b|\bgrill\b|\bsteakhouse\b|\bbrasserie\b|\btavern\b|\bcantina\b|\bbbq\b|\btapas\b|\bcurry house\b|\bdumplings?\b|\bplace to eat\b|\bfor (?:lunch|dinner)\b"
_CAFES = r"咖啡|茶馆|茶室|\bcaf[eé]s?\b|\bcoffee\b|\btea ?(?:house|room)\b|\bespresso\b|\broaster\w*"
_SHOPS = rf"店|铺|商场|超市|市场|书城|药房|理发|酒吧|面包房|{_PLACES_TO_EAT}|{_CAFES}|\b(?:shops?|stores?|bars?|pubs?|baker(?:y|ies)|deli|markets?|supermarket|salon|barber\w*|pharmacy|boutique|bookshop|bookstore|florist|butcher\w*|garage|sells)\b"

THINGS = (
    _thing("hotel", r"酒店|宾馆|旅馆|民宿|客栈|住处|\b(?:hotels?|hostels?|inn|b&b|guest ?house|airbnb|place to stay)\b", r"酒店|宾馆|旅馆|民宿|客栈|\b(?:hotels?|hostels?|inn|b&b|guest ?house|airbnb|motel|resort)\b"),
    _thing("café", r"咖啡[馆店厅]|茶馆|\b(?:caf[eé]s?|coffee (?:shop|place|house|bar))\b", _CAFES),
    _thing("restaurant", r"餐[厅馆]|饭[店馆]|馆子|菜馆|吃饭的地方|\b(?:restaurants?|place to eat|eatery|diner|dinner place|lunch place)\b", _PLACES_TO_EAT),
    _thing("shop", r"店|铺子|商家|\b(?:shops?|stores?|places?)\b", _SHOPS),
    _thing("address", r"地址|住址|门牌|\baddress\b|\bwhere (?:it|he|she|they) (?:is|lives?)\b", r"地址|住址|住在|搬到|[路街巷弄]\d*号?|\d+[号栋楼室]|位于|\baddress\b|\b(?:street|st\.|road|avenue|lane|square|drive)\b|\blives? (?:at|in|on)\b", "address", "residence", "city", "home"),
    _thing("phone", r"电话|手机号|号码|联系方式|\bphone(?: number)?\b|\bextension\b", r"电话|手机|分机|\bphone\b|\bmobile\b|\bcell\b|\bext(?:ension|\.)|\bcall\b.*\d", "phone"),
    _thing("price", r"价格|价钱|报价|费用|单价|价位|\b(?:price|quote|cost|fee|rate)\b", r"(?:\d|[一二三四五六七八九十百千万])\s*(?:元|块|万|美元|欧)|[¥￥$€£]\s*\d|\d\s*(?:dollars?|euros?|pounds?|yuan|usd|eur|gbp|k\b)|报价|价格|\b(?:price|quote|costs?|fee)\b.*\d"),
    _thing("date", r"日期|日子|时间|几号|截止日|期限|\b(?:date|day|time|deadline|due date)\b", rf"{_DATE}|截止|\bdeadline\b|\bdue\b", "birthday"),
    _thing("number", r"数(?!据库)字?|数据(?!库)|金额|数额|数目|数量|人数|预算|\b(?:numbers?|figures?|amounts?|totals?|count|budget|percentage|headcount)\b", rf"{_DIGITS}|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred|thousand|million)\b"),
    _thing("colleague", r"同事|\b(?:colleagues?|co-?workers?|teammates?)\b", r"同事|同组|我们(?:组|部门|团队)|搭档|\b(?:colleagues?|co-?workers?|teammates?|on my team|in my team|at work)\b"),
    _thing("doctor", r"医生|大夫|牙医|\b(?:doctors?|dentist|physician|therapist|gp)\b", r"医生|大夫|牙医|医师|主任|诊所|\b(?:doctors?|dr\.?|dentist|physician|therapist|gp|clinic)\b"),
    _thing("friend", r"朋友|哥们|闺蜜|同学|校友|\b(?:friends?|buddy|mate|classmates?|schoolmates?)\b", r"朋友|好友|哥们|闺蜜|同学|校友|\b(?:friends?|buddy|mate|classmates?|schoolmates?)\b"),
    _thing("client", r"客户|甲方|顾客|\b(?:clients?|customers?)\b", r"客户|甲方|顾客|\b(?:clients?|customers?)\b"),
    _thing("supplier", r"供应商|厂家|厂商|\b(?:suppliers?|vendors?)\b", r"供应商|厂家|厂商|供货|供应|\b(?:suppliers?|vendors?|supplies|supplied by)\b"),
    _thing("person", r"(?:那|这)(?:个|位)人|家伙|小伙|姑娘|\b(?:person|guy|man|woman|lady|girl|boy)\b", rf"{OTHERS_ZH}|医生|大夫|先生|女士|\b(?:{OTHERS_EN}|dr\.?|mr\.?|ms\.?|mrs\.?)\b"),
    _thing("flight", r"航班|机票|飞机|\bflights?\b", r"航班|机票|起飞|飞往|[A-Z]{2}\d{3,4}|\bflights?\b|\bfl(?:y|ying|ies)\b"),
    _thing("trip", r"旅行|旅游|行程|出差|\b(?:trip|journey|travels?|holiday|vacation|itinerary)\b", r"旅行|旅游|行程|出差|自驾|\b(?:trip|journey|travel\w*|holiday|vacation|itinerary)\b"),
    _thing("meeting", r"会议?(?![计员])|例会|评审|\b(?:meetings?|appointment|call|stand-?up|review)\b", r"会(?:议|$|改|在|是|定)|例会|周会|评审|沟通会|面谈|\b(?:meetings?|appointment|stand-?up|call|review)\b"),
    _thing("book", r"书(?!店)|小说|\b(?:books?|novels?)\b", r"书(?!店)|小说|读|^(?!.*(?:电影|片|剧|歌|曲)).*《|\b(?:books?|novels?|read(?:ing)?)\b"),
    _thing("film", r"电影|片子|剧|纪录片|\b(?:films?|movies?|shows?|series|documentary)\b", r"电影|片|剧|^(?!.*(?:书|小说|读|歌|曲)).*《|\b(?:films?|movies?|shows?|series|documentary|watch\w*)\b"),
    _thing("dish", r"菜(?!单)|菜谱|\b(?:dish|recipe|meal)\b", r"菜|汤|肉|鱼|饭|面|做法|\b(?:dish|recipe|meal|soup|cook\w*|bak\w+)\b"),
    _thing("project", r"项目|\bprojects?\b", r"项目|\bprojects?\b"),
    _thing("pet", r"宠物|猫|狗|\b(?:pets?|cats?|dogs?)\b", r"宠物|猫|狗|\b(?:pets?|cats?|dogs?|pupp(?:y|ies)|kittens?)\b", "pet", "pet name"),
    _thing("car", r"车(?!站)|\b(?:cars?|vehicle)\b", r"车(?!站)|\b(?:cars?|vehicle|drives?|suv|sedan)\b"),
    _thing("flat", r"房子|公寓|房源|\b(?:flats?|apartments?|house|room)\b", r"房|公寓|室|租|\b(?:flats?|apartments?|house|rent\w*|rooms?)\b"),
    _thing("course", r"课程?|培训|\b(?:courses?|class|training|workshop)\b", r"课|培训|\b(?:courses?|class(?:es)?|training|workshop)\b"),
    _thing("job", r"工作|职位|\b(?:jobs?|position)\b", r"工作|职位|上班|入职|\b(?:jobs?|position|works?|working|offer)\b", "job", "employer", "occupation"),
    _thing("plan", r"计划|安排|打算|\bplans?\b", r"计划|安排|打算|要去|准备|\bplan\w*\b|\bgoing to\b"),
)  # fmt: skip
"""Narrow kinds before wide ones: the first whose name is said is meant."""


def named(words: str) -> Thing | None:
    """The kind of thing that these words point at."""
    return next((thing for thing in THINGS if thing.called.search(words)), None)


def kind(name: str | None) -> Thing | None:
    """The kind of this name."""
    return next((thing for thing in THINGS if thing.name == name), None)


def is_one(thing: Thing, memory: Remembered) -> bool:
    """Whether a memory tells of a thing of this kind."""
    family = memory.slot.attribute.partition(":")[0] if memory.slot else ""
    said = " ".join((memory.content, memory.slot.subject if memory.slot else "", family))
    return family in thing.attributes or thing.shown.search(said) is not None
