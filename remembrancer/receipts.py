"""A receipt of a deletion in words, in Chinese and English."""

from collections.abc import Iterator

from memory.model import Receipt

_TEXTS = {
    "count": ("  {place}：{before} → {after}", "  {place}: {before} → {after}"),
    "proved": (
        "已逐个查看 {count} 处，找不到一个字：{places}",
        "{count} places looked through, nothing of it is left: {places}",
    ),
    "requested": ("已请求删除，尚未证实：{place}", "requested, not proved yet: {place}"),
    "retained": ("保留 {place}：{why}", "retained, {place}: {why}"),
    "remaining": (
        "仍在 {place}（{count} 段）：请停止占用它的程序后再运行 memory sweep",
        "still in {place} ({count} texts): stop what uses it and run `memory sweep` again",
    ),
    "shared": (
        "其中 {count} 段别人也原样说过，他们的不动",
        "{count} of the texts others said, too, word for word: theirs stay",
    ),
}
_LISTED = 12


def lines(receipt: Receipt, lang: str) -> Iterator[str]:
    """The receipt, place by place; `lang` is zh or en."""
    index = 0 if lang == "zh" else 1

    def say(key: str, **words: object) -> str:
        return _TEXTS[key][index].format(**words)

    for place, (before, after) in receipt.counts.items():
        if before != after:
            yield say("count", place=place, before=before, after=after)
    if receipt.proved:
        more = " …" if len(receipt.proved) > _LISTED else ""
        yield say("proved", count=len(receipt.proved), places=", ".join(receipt.proved[:_LISTED]) + more)
    for place in receipt.requested:
        yield say("requested", place=place)
    for place, why in receipt.retained.items():
        yield say("retained", place=place, why=why)
    for place, count in receipt.remaining.items():
        yield say("remaining", place=place, count=count)
    if receipt.shared:
        yield say("shared", count=receipt.shared)
