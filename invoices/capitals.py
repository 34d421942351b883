"""Amounts in Chinese capital numerals (大写金额), read and written.

Printed forms differ: 元, 圆 or 圓, with or without 整 (正), 零 before 角 and 分 or not, only 角 or 分, 万零, and
（负数） or 负 before a red invoice's amount. All are read; one canonical form is written.
"""

import re
from decimal import Decimal

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_VALUES = {character: value for value, character in enumerate(_DIGITS)}
_VALUES |= {character: value for value, character in enumerate("〇一二三四五六七八九")}
_VALUES |= {"贰": 2, "貳": 2, "两": 2, "兩": 2, "叁": 3, "參": 3, "叄": 3, "陸": 6, "O": 0, "○": 0}
_UNITS = {"拾": 10, "十": 10, "佰": 100, "百": 100, "仟": 1000, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_NEGATIVE = re.compile(r"^[(（]?负数?[)）]?|^[(（]?負數?[)）]?")
_DECORATION = re.compile(r"[\s:：¥￥⊗ⓧ×※]|人民币|整|正")
_SHAPE = re.compile(r"(?:(?P<yuan>[^元圆圓]*)[元圆圓])?零?(?:(?P<jiao>.)角)?零?(?:(?P<fen>.)分)?")
_LARGEST = Decimal(10) ** 12


def parse_capitals(text: str) -> Decimal | None:
    """The amount that capital numerals state, None where they state none (an unknown character, units out of order)."""
    plain = _DECORATION.sub("", text)
    sign = -1 if _NEGATIVE.match(plain) else 1
    match = _SHAPE.fullmatch(_NEGATIVE.sub("", plain, count=1))
    if not match or not any(match.groups()):
        return None
    yuan = 0 if match["yuan"] is None else _whole(match["yuan"])
    jiao, fen = (0 if match[name] is None else _VALUES.get(match[name]) for name in ("jiao", "fen"))
    if yuan is None or jiao is None or fen is None:
        return None
    return sign * (Decimal(yuan) + Decimal(jiao) / 10 + Decimal(fen) / 100)


def _whole(text: str) -> int | None:
    """The whole yuan: groups of up to four digits before 万 and 亿, read from the left."""
    if not text:
        return None
    total = group = digit = 0
    last_unit = 10**4
    for character in text:
        if character in _VALUES:
            if digit:
                return None
            digit = _VALUES[character]
        elif character in _UNITS:
            if _UNITS[character] >= last_unit:
                return None
            last_unit = _UNITS[character]
            group += (digit or 1) * last_unit
            digit = 0
        elif character in _MYRIADS:
            myriad = _MYRIADS[character]
            total = (total + group + digit) * myriad if total < myriad else total + (group + digit) * myriad
            group, digit, last_unit = 0, 0, 10**4
        else:
            return None
    return total + group + digit


def write_capitals(amount: Decimal) -> str:
    """The amount in capital numerals as invoices print it: `壹佰元零伍分`, `（负数）壹佰圆整` for a negative one.

    Raises:
        ValueError: more than two decimals, or a trillion yuan and over.
    """
    fen_total = abs(amount) * 100
    if fen_total != int(fen_total) or abs(amount) >= _LARGEST:
        raise ValueError(f"{amount} has no writing in capital numerals: at most two decimals and below {_LARGEST:,f}")
    yuan, rest = divmod(int(fen_total), 100)
    jiao, fen = divmod(rest, 10)
    words = (_write_whole(yuan) or ("" if rest else "零")) + ("圆" if yuan or not rest else "")
    if not rest:
        words += "整"
    elif jiao:
        words += _DIGITS[jiao] + "角"
    elif yuan:
        words += "零"
    return ("（负数）" if amount < 0 else "") + words + (_DIGITS[fen] + "分" if fen else "")


def _write_whole(number: int) -> str:
    groups = []
    while number:
        number, group = divmod(number, 10**4)
        groups.append(group)
    words = ""
    for place in reversed(range(len(groups))):
        group = groups[place]
        gap = (
            words and not words.endswith("零") and (group < 1000 or (place + 1 < len(groups) and not groups[place + 1]))
        )
        if group:
            words += ("零" if gap else "") + _write_group(group) + ("", "万", "亿")[place]
    return words


def _write_group(group: int) -> str:
    words = ""
    for unit, name in ((1000, "仟"), (100, "佰"), (10, "拾"), (1, "")):
        digit = group // unit % 10
        if digit:
            words += _DIGITS[digit] + name
        elif words and group % unit and not words.endswith("零"):
            words += "零"
    return words
