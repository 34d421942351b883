"""When or where a preference is said to hold: "早上不吃辣" and "我喜欢吃辣" stand beside each other.

Two statements under different conditions never replace one another. What isn't told holds generally.
"""

import re
from functools import lru_cache

_CONDITIONS = tuple(
    (name, re.compile(words, re.IGNORECASE))
    for name, words in (
        ("morning", r"早上|早晨|清晨|大早|上午|起床后|\b(?:in the |this )?mornings?\b|\bbefore noon\b"),
        ("noon", r"中午|午休|午饭|\bat (?:noon|lunch)\b"),
        ("afternoon", r"下午|\b(?:in the )?afternoons?\b"),
        ("evening", r"晚上|夜里|半夜|睡前|深夜|傍晚|\b(?:in the )?evenings?\b|\bat night\b|\bbefore bed\b|\blate at night\b"),
        ("weekend", r"周末|双休日|休息日|\b(?:on |at )?(?:the )?weekends?\b"),
        ("weekday", r"工作日|平日里|\bon (?:weekdays|work ?days)\b"),
        ("monday", r"(?:周|星期)一|\bon mondays?\b"), ("tuesday", r"(?:周|星期)二|\bon tuesdays?\b"),
        ("wednesday", r"(?:周|星期)三|\bon wednesdays?\b"), ("thursday", r"(?:周|星期)四|\bon thursdays?\b"),
        ("friday", r"(?:周|星期)五|\bon fridays?\b"), ("saturday", r"(?:周|星期)六|\bon saturdays?\b"),
        ("sunday", r"(?:周|星期)[日天]|\bon sundays?\b"),
        ("summer", r"夏天|夏季|天热|\bin (?:the )?summer\b|\bwhen it'?s hot\b"),
        ("winter", r"冬天|冬季|天冷|\bin (?:the )?winter\b|\bwhen it'?s cold\b"),
        ("travel", r"出差|旅行|旅游|在外面|\bwhen (?:i'?m |i am )?(?:travel\w*|on the road|away|abroad)\b|\bon (?:business )?trips?\b|\bwhile travell?ing\b"),
        ("home", r"在家里?|\bat home\b"),
        ("work", r"在公司|上班(?:时|的时候|期间)|办公室里|\bat (?:work|the office)\b"),
        ("sport", r"运动[后前时]|健身[后前时]|跑步[后前时]|\b(?:after|before|during) (?:a )?(?:workout|exercise|running|the gym|sport)\b"),
        ("ill", r"生病|感冒(?:时|的时候)|胃疼|\bwhen (?:i'?m |i am )?(?:ill|sick)\b"),
        ("company", r"(?:跟|和|与)(?:朋友|同事|家人|孩子|客户|老板)|\bwith (?:my )?(?:friends|family|colleagues|kids|clients)\b"),
        ("alone", r"一个人(?:时|的时候)|独自|\bwhen (?:i'?m |i am )?alone\b"),
    )
)  # fmt: skip


@lru_cache(maxsize=4_000)
def conditions_of(text: str) -> frozenset[str]:
    """The conditions that a sentence names; empty for what holds generally."""
    return frozenset(name for name, words in _CONDITIONS if words.search(text))
