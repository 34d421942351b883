"""The texts that may hide inside a text: without invisible characters, in plain letters, decoded.

Knows nothing about what is suspicious; `screening` looks at each view.
"""

import html
import re
import unicodedata
from urllib.parse import unquote

from memory.decoding import decoded, made_visible

_LONGEST = 20_000
_MOST_READINGS = 40

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0100-\U000e01ef]"
)
_STACKED = re.compile("[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_LOOKALIKES = str.maketrans(
    "аАвВсСеЕнНіІјЈкКмМоОпрРѕЅтТуУхХԁɡһԛԝαΑβΒεΕηΗιΙκΚμΜνΝοΟρΡτΤυΥχΧɑıℓɪɢɴʀᴀᴄᴅᴇᴋʟᴍᴏᴘꜱᴛᴜᴠᴡʏᴢʙʜᴊ",
    "aAbBcCeEhHiIjJkKmMoOnpPsStTyYxXdghqwaAbBeEhHiIkKuMvNoOpPtTuYxXailignracdeklmopstuvwyzbhj",
)
_LETTER_SIGNS = {
    **{0x1F1E6 + at: chr(97 + at) for at in range(26)},
    **{0x1F150 + at: chr(97 + at) for at in range(26)},
    **{0x1F170 + at: chr(97 + at) for at in range(26)},
}
"""Letters in circles, squares and flags that Unicode doesn't count as letters."""
_UPSIDE_DOWN = str.maketrans("ɐqɔpǝɟƃɓɥᴉıɾʞlɯuodbɹsʇnʌʍxʎz", "abcdefgghiijklmnopqrstuvwxyz")
_LEET = str.maketrans("012345678@$!|+", "oizeasgtbasilt")
_LEET_L = str.maketrans("012345678@$!|+", "olzeasgtbasllt")
_TRADITIONAL = str.maketrans(
    "審覈過規則記說給戶權證轉賬帳發報銷後從開無統驗認請將這個應該問題執許護視繞關閉聽會員們對與為進據單總經財務准當條賣買產業訂別讓還沒講話號碼網頁電郵檔資訊傳輸顯現錄憶歷史隱優級處變設應動",
    "审核过规则记说给户权证转账账发报销后从开无统验认请将这个应该问题执许护视绕关闭听会员们对与为进据单总经财务准当条卖买产业订别让还没讲话号码网页电邮档资讯传输显现录忆历史隐优级处变设应动",
)
_SPACED = re.compile(r"\b(?:[A-Za-z][ .\-_*]){3,}[A-Za-z]\b")
_BETWEEN_CJK = re.compile(r"(?<=[\u4e00-\u9fff])[^\w，。！？；：、,!?;:\n]+(?=[\u4e00-\u9fff])")
_SPREAD_CJK = re.compile(r"(?:[\u4e00-\u9fff][^\w\n]+){4,}[\u4e00-\u9fff]")
_PINYIN = {
    "shenhe": "审核", "shenpi": "审批", "zhijie": "直接", "zidong": "自动", "tongguo": "通过", "tiaoguo": "跳过",
    "raoguo": "绕过", "pizhun": "批准", "fangxing": "放行", "fukuan": "付款", "dakuan": "打款", "zhuanzhang": "转账",
    "hulue": "忽略", "hulve": "忽略", "wushi": "无视", "zhiling": "指令", "guize": "规则", "xitong": "系统",
    "tishici": "提示词", "fapiao": "发票", "yilv": "一律", "yilu": "一律", "gongyingshang": "供应商", "zhiqian": "之前",
    "suoyou": "所有", "wuxu": "无需", "buyong": "不用", "queren": "确认", "yanzheng": "验证", "xianzhi": "限制",
    "meiyou": "没有", "guanliyuan": "管理员", "shouquan": "授权", "jizhu": "记住", "yihou": "以后",
}  # fmt: skip
_PINYIN_WORD = re.compile("|".join(_PINYIN))
_RUN_TOGETHER = re.compile(
    r"(?:ignore|disregard|forget|bypass|override|drop)(?:all|any|the|of|your|my)*(?:previous|prior|above|earlier|your|system|former|all)+(?:and)?"
    r"(?:system)?(?:instructions?|rules?|guidelines?|prompts?|directives?|policies|restrictions)"
    r"|(?:reveal|show|print|output)(?:me)?(?:the|your)+(?:hidden|initial)?systemprompt|approve(?:all|every|any)(?:the)?(?:invoices?|payments?|requests?)"
    r"|(?:skip|bypass)(?:all|the|every|any)*(?:checks|reviews?|verification|approvals?)"
)
_RUN_WORD = re.compile(
    r"ignore|disregard|forget|bypass|override|drop|all|any|the|of|your|my|previous|prior|above|earlier|system|former|and|instructions?|rules?"
    r"|guidelines?|prompts?|directives?|policies|restrictions|reveal|show|print|output|me|hidden|initial|approve|every|invoices?|payments?|requests?|skip|checks|reviews?|verification|approvals?"
)
_GIVEAWAYS = (
    "ignore|instruction|system|prompt|approve|reveal|previous|without|bypass|通过|审核|指令|忽略|批准|付款|规则|系统|直接|提示"
).split("|")


def simplified(text: str) -> str:
    """`text` with the traditional characters that matter here in their simplified form."""
    return text.translate(_TRADITIONAL)


def clean(text: str) -> str:
    """`text` in NFKC without invisible characters; text written in tag characters becomes readable."""
    text = _TAGS.sub(lambda found: "".join(chr(ord(c) - 0xE0000) for c in found.group()), text[:_LONGEST])
    text = made_visible(text.translate(_LETTER_SIGNS))
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)))


def views(text: str) -> list[str]:
    """Each reading of `text` (its first 20,000 characters) that may carry words: itself first, then what is hidden in it."""
    plain = simplified(clean(text))
    unescaped = html.unescape(unquote(plain))
    readings = [plain, *_respelled(plain)]
    if unescaped != plain:
        readings += [unescaped, *_respelled(simplified(clean(unescaped)))]
    for _ in range(2):  # what is encoded twice is decoded twice
        readings += [clean(each) for reading in readings[:_MOST_READINGS] for each in decoded(reading)]
        readings = list(dict.fromkeys(readings))
    readings += [spelled for reading in readings[1:_MOST_READINGS] for spelled in _joined(reading)]
    return list(dict.fromkeys(readings))


def _respelled(plain: str) -> list[str]:
    """The text in the plain letters that its letters stand for."""
    readings = [plain.translate(_LOOKALIKES), _STACKED.sub("", unicodedata.normalize("NFD", plain)), *_joined(plain)]
    readings += [_SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found.group()), plain), _pinyin(plain)]
    readings += [plain.translate(_LEET), plain.translate(_LEET_L)]
    turned = [plain[::-1], plain.translate(_UPSIDE_DOWN)[::-1], *_shifted(plain)]
    return [*readings, *(each for each in turned if _gives_away(each))]


def _gives_away(text: str) -> bool:
    """Whether words that orders are made of stand in a text that nobody wrote so: two are no accident."""
    small = text.lower()
    return sum(word in small for word in _GIVEAWAYS) >= 2


def _joined(plain: str) -> list[str]:
    """The text without what stands between the letters, where that makes words of an order."""
    readings = [_BETWEEN_CJK.sub("", plain)]
    if _SPREAD_CJK.search(plain):
        readings.append(_SPREAD_CJK.sub(lambda found: re.sub(r"[^\w]+", "", found.group()), plain))
    compact = re.sub(r"[^a-z]", "", plain.lower())
    found = _RUN_TOGETHER.search(compact)
    return [*readings, _RUN_WORD.sub(r"\g<0> ", found.group())] if found else readings


def _pinyin(plain: str) -> str:
    """Pinyin of the words that orders are made of, in characters."""
    letters = _STACKED.sub("", unicodedata.normalize("NFD", plain.lower()))
    together = re.sub(r"(?<=[a-z]) +(?=[a-z])", "", letters)
    written, count = _PINYIN_WORD.subn(lambda found: _PINYIN[found.group()], together)
    return written if count >= 2 else plain


def _shifted(plain: str) -> list[str]:
    """The text with its alphabet shifted or turned round."""
    if not re.search(r"[A-Za-z]{4}", plain):
        return []
    return [plain.translate(table) for table in (*_SHIFTS, _ATBASH)]


def _shift(by: int) -> dict[int, int]:
    small = {97 + at: 97 + (at + by) % 26 for at in range(26)}
    return small | {code - 32: shifted - 32 for code, shifted in small.items()}


_SHIFTS = tuple(_shift(by) for by in range(1, 26))
_ATBASH = {97 + at: 122 - at for at in range(26)} | {65 + at: 90 - at for at in range(26)}
