"""Which VAT rates China allowed when: a table by date of issue."""

import re
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

RATES: tuple[tuple[date, frozenset[str], frozenset[str]], ...] = (
    (date(2016, 5, 1), frozenset({"17", "13", "11", "6", "0"}), frozenset({"5", "3", "2", "1.5"})),
    (date(2017, 7, 1), frozenset({"17", "11", "6", "0"}), frozenset({"5", "3", "2", "1.5"})),
    (date(2018, 5, 1), frozenset({"16", "10", "6", "0"}), frozenset({"5", "3", "2", "1.5"})),
    (date(2019, 4, 1), frozenset({"13", "9", "6", "0"}), frozenset({"5", "3", "2", "1.5"})),
    (date(2020, 3, 1), frozenset({"13", "9", "6", "0"}), frozenset({"5", "3", "2", "1.5", "1", "0.5"})),
    (date(2026, 1, 1), frozenset({"13", "9", "6", "0"}), frozenset({"5", "3", "2", "1.5", "1", "0.5"})),
    (date(2028, 1, 1), frozenset({"13", "9", "6", "0"}), frozenset({"5", "3", "2", "1.5", "0.5"})),
)
"""From which day: the rates of the general method, and those of the levy (small-scale, real estate, used goods).

Sources: Caishui 2016 no. 36, 2017 no. 37, 2018 no. 32, notice 2019 no. 39, notice 2020 no. 8 (levy of 1), VAT Law of
2026 art. 10 and 11 and notice 2026 no. 10 (levy of 1 until the end of 2027).
"""

_RATE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
NO_RATE_WORDS = frozenset({"免税", "不征税", "***", "*", "出口零税", "普通零税率", "按5%简易征收", "按3%简易征收"})


def percent(rate: str | None) -> Decimal | None:
    """The rate as a percentage, None for words and for what is no number."""
    text = (rate or "").removesuffix("%").strip()
    return Decimal(text) if _RATE.fullmatch(text) else None


@lru_cache(maxsize=4096)
def allowed(day: date, grace_days: int) -> frozenset[Decimal]:
    """The rates of that day, with those of the period before while the grace runs."""
    found: frozenset[str] = frozenset()
    for number, (since, general, levy) in enumerate(RATES):
        following = RATES[number + 1][0] if number + 1 < len(RATES) else date.max
        ends = following if following == date.max else following + timedelta(days=grace_days)
        if since <= day < ends:
            found |= general | levy
    return frozenset(map(Decimal, found))
