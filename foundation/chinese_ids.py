"""Personal numbers of China: citizen ids (GB 11643), cards, travel documents, phones, accounts, plates, addresses.

A number that is called an id or a card in the words before it is hidden even when its check character is wrong: a slip
of the finger is no less private. A number that is called an order, a shipment or an invoice isn't one.
"""

import re

from foundation.private_kind import NO_WORD_AFTER, NO_WORD_BEFORE, Kind

_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CITIZEN_CHECKS = "10X98765432"
_ISSUERS = (
    ("62", range(16, 20)),
    ("4", (13, 16, 19)),
    ("5[1-5]|2[2-7]", (16,)),
    ("3[47]", (15,)),
    ("35|6011|65|9[45]", range(16, 20)),
)
_HALF = str.maketrans("（）", "()")
_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def is_citizen_id(text: str) -> bool:
    """Whether these 18 characters (spaces aside) are a mainland China citizen id (GB 11643: birthday, check character)."""
    text = re.sub(r"[ \-]", "", text)
    digits = text[:17]
    if len(text) != 18 or not digits.isascii() or not digits.isdigit():
        return False
    if not re.match(r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", digits[6:14]):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, _CITIZEN_WEIGHTS, strict=True))
    return _CITIZEN_CHECKS[total % 11] == text[17].upper()


def is_payment_card(text: str) -> bool:
    """Whether these digits are a payment card: an issuer's prefix, its length, and the Luhn check."""
    digits = "".join(character for character in text if character.isdigit())
    return is_card_number(digits) and any(
        len(digits) in lengths and re.match(prefix, digits) for prefix, lengths in _ISSUERS
    )


def is_card_number(text: str) -> bool:
    """Whether these digits pass the Luhn check of payment cards."""
    digits = [int(character) for character in text if character.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return 13 <= len(digits) <= 19 and (sum(digits[::-2]) + doubled) % 10 == 0


def is_hong_kong_id(text: str) -> bool:
    """Whether this is a Hong Kong identity card number: `A123456(3)`, with its check digit (mod 11)."""
    letters, digits, check = re.fullmatch(r"([A-Z]{1,2})(\d{6})\(?([0-9A])\)?", text.upper()).groups()  # type: ignore[union-attr]
    values = [36 if len(letters) == 1 else ord(letters[0]) - 55, ord(letters[-1]) - 55, *map(int, digits)]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    return (total + int(check, 16)) % 11 == 0


def is_taiwan_id(text: str) -> bool:
    """Whether this is a Taiwan identity card number: a letter and nine digits, with their check (mod 10)."""
    tens, ones = divmod(_TAIWAN_LETTERS.index(text[0].upper()) + 10, 10)
    values = [tens, ones, *map(int, text[1:])]
    return (
        sum(value * weight for value, weight in zip(values, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0
    )


_PAPERS = re.compile(
    r"(?:订单|流水|单号|运单|快递|物流|编号|发票|代码|时间戳|版本|批次|合同|凭证|序列号|货号|型号|工单|order|invoice|tracking|serial|batch|ticket|\bref)"
    r"(?:号码?|编码|编号|单| ?number| ?no\.?| ?id)?[\s:：#是为]{0,3}$",
    re.IGNORECASE,
)
_ID_WORDS = re.compile(r"身份证|证件号|公民身份|citizen id|\bid card|\bid number", re.IGNORECASE)
_CARD_WORDS = re.compile(r"卡号|银行卡|信用卡|储蓄卡|借记卡|[一-鿿]行卡|\bcard\b", re.IGNORECASE)
_ACCOUNT_WORDS = re.compile(
    r"银行账[号户]|开户账号|收款账[号户]|工资账[号户]|支付宝(?:账号)?|bank account|account (?:number|no)|kontonummer|compte bancaire|cuenta bancaria",
    re.IGNORECASE,
)
_PASSPORT_WORDS = re.compile(r"护照|passport|证件|签证|\bvisa\b|reisepass|passeport|pasaporte", re.IGNORECASE)
_PERMIT_WORDS = re.compile(r"通行证|回乡证|台胞证|居住证|永久居留|permit", re.IGNORECASE)
_PHONE_WORDS = re.compile(
    r"手机|电话|联系|座机|固话|传真|打给|拨打|phone|mobile?\b|\btele?f?|\bcall\b|\bfax\b|\bhandy\b|\bcell|m[óo]vil|\bbel\b|portable|\bring\b|телефон|携帯|전화",
    re.IGNORECASE,
)
_PLATE_WORDS = re.compile(
    r"kennzeichen|(?:number|licen[cs]e) plate|registration|immatriculation|plaque|matr[íi]cula|targa|kenteken|车牌",
    re.IGNORECASE,
)
_WECHAT = re.compile(r"微信(?:号|ID|账号|id)|加我?微信|我的?微信|wechat(?: id)?", re.IGNORECASE)
_QQ = re.compile(r"QQ(?:号|号码|群)?", re.IGNORECASE)
_PAPER_WORDS = re.compile(r"驾驶证|驾照|社保(?:卡|号)?|医保(?:卡|号)?|公积金|军官证|学籍号|居住证", re.IGNORECASE)
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_STREET = "(?:路|街|大道|道|巷|弄|胡同|村|镇|小区|花园|家园|新村|公寓|大厦|广场|苑|庄|屯|组|里|园|城|府|湾)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(f"{NO_WORD_BEFORE}(?:{text}){NO_WORD_AFTER}")


CHINESE = (
    Kind(
        name="citizen id",
        pattern=re.compile(rf"{NO_WORD_BEFORE}\d{{6}}[ -]?\d{{8}}[ -]?\d{{3}}[\dXx](?=\d{{2}}{NO_WORD_AFTER}|{NO_WORD_AFTER})"),
        holds=is_citizen_id,
        not_near=_PAPERS,
    ),
    Kind(name="citizen id", pattern=_pattern(r"\d{6}[ -]?\d{8}[ -]?\d{3}[\dXx]|\d{14,17}[\dXx]"), near=_ID_WORDS),
    Kind(
        name="card",
        pattern=_pattern(r"\d(?:[ -]?\d){12,18}"),
        holds=is_payment_card,
        not_near=_PAPERS,
    ),
    Kind(name="card", pattern=_pattern(r"\d(?:[ -]?\d){12,18}"), near=_CARD_WORDS),
    Kind(name="passport", pattern=_pattern(r"[A-Z][A-Z0-9]?\d{7,8}|(?=[A-Z]+\d)[A-Z][A-Z0-9]{8}"), near=_PASSPORT_WORDS),
    Kind(name="permit", pattern=_pattern(r"[HMCW]\d{8}(?:\d{2})?|(?!(?:19|20)\d{6}(?!\d))\d{8}(?:\d{2})?|[A-Z]{3}\d{12}|\d{18}"), near=_PERMIT_WORDS),
    Kind(name="citizen id", pattern=re.compile(rf"{NO_WORD_BEFORE}[A-Z]{{1,2}}\d{{6}}[(（][0-9A][)）]"), holds=lambda text: is_hong_kong_id(text.translate(_HALF))),
    Kind(name="citizen id", pattern=re.compile(rf"{NO_WORD_BEFORE}[157]\d{{6}}[(（]\d[)）]"), near=re.compile("澳门|Macau|Macao", re.IGNORECASE)),
    Kind(name="citizen id", pattern=_pattern(r"[A-Z][12]\d{8}"), holds=is_taiwan_id, near=re.compile("台湾|身份|身分|Taiwan", re.IGNORECASE)),
    Kind(
        name="phone",
        pattern=re.compile(rf"{NO_WORD_BEFORE}(?<!\d\.)(?<!\+\d )(?<!\+\d\d )(?<!\+\d\d\d )(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{{4}}[ -]?\d{{4}}{NO_WORD_AFTER}"),
        not_near=_PAPERS,
    ),
    Kind(name="phone", pattern=re.compile(rf"{NO_WORD_BEFORE}\+\d{{1,3}}(?:[ -]?\(?\d{{1,4}}\)?){{2,5}}{NO_WORD_AFTER}"), holds=lambda text: 9 <= sum(map(str.isdigit, text)) <= 15),
    Kind(name="phone", pattern=_pattern(r"\(?0(?:10|2\d|[3-9]\d{2})\)?[ -]?[2-9]\d{2,3}[ -]?\d{4}(?:(?:-|转)\d{1,5})?"), near=_PHONE_WORDS),
    Kind(name="phone", pattern=_pattern(r"00[1-9]\d{0,2}(?:[ /-]?\(?\d{1,4}\)?){2,5}|0[1-9]\d{1,4}[ /-]\d{3,9}(?:[ -]\d{2,5}){0,3}"), near=_PHONE_WORDS),
    Kind(name="phone", pattern=_pattern(r"0(?:10|2\d|[3-9]\d{2})-[2-9]\d{6,7}(?:(?:-|转)\d{1,5})?"), not_near=_PAPERS),
    Kind(name="account", pattern=_pattern(r"\d(?:[ -]?\d){8,29}"), near=_ACCOUNT_WORDS),
    Kind(name="account", pattern=re.compile(r"(?P<hide>[A-Za-z][-_A-Za-z0-9]{5,19})"), near=_WECHAT, within=10),
    Kind(name="account", pattern=_pattern(r"[1-9]\d{4,10}"), near=_QQ, within=6),
    Kind(name="document", pattern=_pattern(r"[A-Z0-9]{0,3}\d{7,18}[Xx]?"), near=_PAPER_WORDS),
    Kind(name="mail", pattern=re.compile(r"[A-Za-z0-9\u00c0-\u024f._%+\-]{1,64}@[A-Za-z0-9\u00c0-\u024f.\-]{1,190}\.[A-Za-z]{2,24}")),
)  # fmt: skip

PLACES = (
    Kind(
        name="plate",
        pattern=_pattern(
            r"[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}[- ]?\d{3}[- ]?[A-Z]{2}|\d{4} ?[B-DF-HJ-NP-TV-Z]{3}"
        ),
        near=_PLATE_WORDS,
        within=24,
    ),
    Kind(name="plate", pattern=re.compile(rf"[{_PROVINCES}][A-HJ-Z][·•. ]?(?:[A-HJ-NP-Z0-9]{{5,6}}){NO_WORD_AFTER}")),
    Kind(
        name="address",
        pattern=re.compile(
            rf"{_STREET}(?:[一-鿿]{{0,8}}?)(?:\d{{1,5}}|[一二三四五六七八九十百]{{1,4}})(?:号院?|弄|栋|幢|座|号楼)"
            r"(?:[A-Za-z]?\d{0,5}(?:号楼|单元|栋|幢|座|层|楼|室|号|户)){0,5}(?:[A-Za-z]?\d{2,5}(?!\d))?"
        ),
        head=re.compile(r"(?:(?![在住到寄送是])[一-鿿0-9]){1,24}$"),
    ),
    Kind(
        name="name",
        pattern=re.compile(r"(?P<hide>[一-鿿]{2,4})(?![一-鿿])"),
        near=re.compile(r"(?:姓名|收件人|联系人|户名|持卡人|患者)\s{0,2}[:：]\s{0,2}$"),
    ),
)
"""What tells where somebody is and what he is called; hidden only where a caller asks for it."""
