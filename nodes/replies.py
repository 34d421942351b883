"""What can be said without a model, in Chinese and English: what was kept, what is recalled, what is asked."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from memory.turns import NOTHING_MEANT
from nodes.talk import Lang, Talk

SAID: Mapping[str, tuple[str, str]] = {
    "stored": ("记住了：{content}", "Noted: {content}"),
    "reinforced": ("这个我已经记着：{content}", "I have that already: {content}"),
    "superseded": ("已更新为：{content}（原来的留在历史里）", "Updated to: {content} (the old one stays in the history)"),
    "coexists": ("另外记下：{content}", "Noted beside what I have: {content}"),
    "quarantined": (
        "这句像是给系统的指令，不算记忆，已留给审核人员，对谁都没有生效：{content}",
        "This reads like an order to the system, so it is not remembered; it has no effect and waits for a reviewer: {content}",
    ),
    "blocked": ("这句不能保存：{reason}", "This can't be kept: {reason}"),
    "forgotten": ("已忘掉。", "Forgotten."),
    "failed": ("没能完成：{reason}", "That didn't work: {reason}"),
    "kept": ("好，什么都没有删。", "All right, nothing was deleted."),
    "kept everything": ("已取消，什么都没有删。", "Cancelled; nothing was deleted."),
    "not meant": (
        "我没有记得你指的那件事，所以什么都没有改。",
        "I don't remember anything that you may mean, so I changed nothing.",
    ),
    "not found": ("没有找到要忘掉的内容。", "I found nothing of that to forget."),
    "no longer true": ("好，这条不再当真了。", "All right, I no longer take that as true."),
    "recalled": ("我记得与此有关的：", "What I remember about this:"),
    "item": ("- {content}（{said_on}）", "- {content} ({said_on})"),
    "why": (
        "- {content}：{said_on} 在会话 {thread} 里你说过“{quote}”（规则 {rule}）",
        "- {content}: on {said_on}, in thread {thread}, you said “{quote}” (rule {rule})",
    ),
    "talk": ("那时你说过：", "What you said then:"),
    "turn": ("- {said_on} {text}", "- {said_on} {text}"),
    "no talk": ("那时的对话里没有你说过的话。", "You said nothing then that I have kept."),
    "still": (
        "你在 {date} 说过“{content}”，已经过去一年多了，现在还是这样吗？",
        "On {date}, more than a year ago, you said “{content}”. Is that still so?",
    ),
    "habit": ("顺便问一句，我注意到：{content}。依据是：", "By the way, I noticed: {content}. It rests on this:"),
    "habit.ask": (
        "要记下来吗？（是；不是；或者告诉我应该怎么说）",
        "Shall I note that? (yes; no; or tell me what is right)",
    ),
    "quote": ("- {date} {who}：“{quote}”", "- {date}, {who}: “{quote}”"),
    "two": ("这两句对不上：", "These two don't agree:"),
    "quotes.more": ("- 以及另外 {count} 句", "- and {count} more"),
    "declined": ("好，不记这条，也不再问。", "All right, I don't note that, and won't ask again."),
    "no_model": (
        "没有配置语言模型，我只能记住和回想，不能作答；我也没有记得与此有关的事。",
        "No language model is configured: I can remember and recall, but not answer. I remember nothing about this.",
    ),
    "nothing": ("好的。这里没有需要记住的内容。", "All right. There was nothing to remember in that."),
    "write": (
        "现在没法写入记忆，这句话没有保存，请稍后再说一次。",
        "Memory can't be written at the moment: this was not kept. Please say it again later.",
    ),
    "read": (
        "现在读不到记忆，我是在不知道以前说过什么的情况下回答的。",
        "Memory can't be read at the moment: I answer without knowing what was said before.",
    ),
    "embedder": ("（语义检索不可用，这次只按关键词查找。）", "(The embedder doesn't answer; I searched by keywords only.)"),
    "vector index": (
        "（向量索引不可用，这次直接从数据库查找。）",
        "(The vector index doesn't answer; I searched the database instead.)",
    ),
    "model_failed": ("语言模型没有回应：{error}", "The language model doesn't answer: {error}"),
    "acted": ("已处理 {name}：{result}", "Done so far: {name}: {result}"),
    "receipt": ("已删除关于你的一切：", "Everything about you is deleted:"),
    "receipt.place": ("- {place}：{before} → {after}", "- {place}: {before} → {after}"),
    "receipt.requested": ("已请求删除、尚未证实：{places}", "Requested, not proved yet: {places}"),
}  # fmt: skip

_QUESTION = re.compile(
    r"[?？]\s*$|吗|呢$|什么|谁|哪|怎么|为何|多少|推荐|帮我|给我|\b(?:what|which|who|where|when|how|why|can|could|find|recommend|suggest|book|show)\b",
    re.IGNORECASE,
)
WHY = re.compile(
    r"(?:为什么|为何|凭什么|怎么)(?:你|会)*(?:觉得|认为|知道|说|记得|以为)|\b(?:why do you (?:think|believe|say|assume)|how do you know|how come you (?:think|know))(?: that)?\b",
    re.IGNORECASE,
)
"""Asks where a memory comes from."""
_TOLD = ("stored", "reinforced", "superseded", "coexists", "quarantined", "blocked", "failed")


def say(key: str, lang: Lang, **words: object) -> str:
    """The text of this key in this language."""
    return SAID[key][0 if lang == "zh" else 1].format(**words)


def reply(state: dict[str, Any], talk: Talk) -> str:
    """The whole reply without a model; never empty."""
    done = _done(state, talk)
    found = [] if done and not _QUESTION.search(talk.text) else _recalled(state, talk)
    lines = [*_troubles(state, talk), *done, *found, *_question(state)]
    if not done and not found and not _question(state):
        lines.append(say("no_model" if _QUESTION.search(talk.text) else "nothing", talk.lang))
    return "\n".join(lines)


def remarks(state: dict[str, Any], talk: Talk) -> list[str]:
    """What is said whatever a model answers: what failed or was held back, and the open question."""
    held = [each for each in state.get("outcomes") or [] if each["status"] in ("quarantined", "blocked", "failed")]
    return [*_troubles(state, talk), *(_outcome(each, talk) for each in held), *_question(state)]


def notes(state: dict[str, Any], talk: Talk) -> str:
    """What a model is told about this turn: what became of the message, and what was said at the time asked for."""
    return "\n".join([*_troubles(state, talk), *_done(state, talk), *_said_then(state, talk), *_question(state)])


def receipt_text(receipt: dict[str, Any]) -> str:
    """The receipt of a deletion, place by place."""
    lang: Lang = "zh" if receipt["lang"] == "zh" else "en"
    lines = [say("receipt", lang)]
    for place, (before, after) in receipt["counts"].items():
        lines.append(say("receipt.place", lang, place=place, before=before, after=after))
    if receipt["requested"]:
        lines.append(say("receipt.requested", lang, places=", ".join(receipt["requested"])))
    return "\n".join(lines)


def _troubles(state: dict[str, Any], talk: Talk) -> list[str]:
    degraded = (state.get("recalled") or {}).get("degraded") or []
    return [say(each, talk.lang) for each in [*(state.get("trouble") or []), *degraded] if each in SAID]


def _done(state: dict[str, Any], talk: Talk) -> list[str]:
    lines = [_outcome(each, talk) for each in state.get("outcomes") or []]
    return [line for line in dict.fromkeys(lines) if line]


def _outcome(outcome: dict[str, Any], talk: Talk) -> str:
    status, reason = outcome["status"], outcome["reason"]
    if reason in ("kept", "kept everything", "no longer true", "declined"):
        return say(reason, talk.lang)
    if status == "nothing" and reason == "nothing of that is remembered":
        return say("not found", talk.lang)
    if reason == NOTHING_MEANT:
        return say("not meant", talk.lang)
    if status == "forgotten":
        return say("forgotten", talk.lang)
    return say(status, talk.lang, content=outcome["content"], reason=reason) if status in _TOLD else ""


def _recalled(state: dict[str, Any], talk: Talk) -> list[str]:
    found: Iterable[dict[str, Any]] = (state.get("recalled") or {}).get("found") or []
    asked = (state.get("open") or {}).get("old") or []
    key = "why" if WHY.search(talk.text) else "item"
    items = [say(key, talk.lang, **each) for each in found if each["content"] not in asked]
    return [*([say("recalled", talk.lang), *items] if items else []), *_said_then(state, talk)]


def _said_then(state: dict[str, Any], talk: Talk) -> list[str]:
    turns: Iterable[dict[str, Any]] = (state.get("recalled") or {}).get("talk") or []
    told = [say("turn", talk.lang, **each) for each in turns]
    return [say("talk", talk.lang), *told] if told else []


def _question(state: dict[str, Any]) -> list[str]:
    return [state["open"]["question"]] if state.get("open") else []
