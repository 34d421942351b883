"""A receipt of a deletion in words, in Chinese and English."""

from collections.abc import Iterator

from memory.model import Receipt

_TEXTS = {
    "count": ("  {place}：{before} → {after}", "  {place}: {before} → {after}"),
    "proved": (
        "已逐个查看 {count} 处，找不到一个字：{places}",
        "{count} places looked through, nothing of it is left: {places}",
    ),
    "requested": ("尚未删除：{place}", "not deleted yet: {place}"),
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
_IN_CHINESE = {
    "accounting records, kept by law": "会计资料，依法保存",
    "evidence of who decided what, kept by law": "谁作了什么决定的凭证，依法保存",
    "he may still sign in: `users remove` ends that": "仍可登录：`users remove` 可取消",
    "stays until the backup is deleted; a restore applies the deletion list": "随备份保留到备份被删；恢复时会再次删除",
    "it was read in from there and is yours: delete it, or what he said in it": "从该文件导入：请自行删除它或其中的话",
    "stop the development server and delete it": "请停止开发服务器后删除",
    "its write-ahead log is in use": "预写日志正被占用",
    "the files of the database server": "数据库服务器的文件",
    "VACUUM is its administrator's": "由其管理员执行 VACUUM",
    "vector index": "向量索引",
    "name this person": "提到此人",
}
"""What a proof says on its own account, in Chinese; names of files and the words of a legal hold stay as they are."""
_PLACES = {
    "memories": "记忆",
    "events": "经过",
    "sources": "出处",
    "postings": "关键词",
    "vectors": "向量",
    "transcript": "对话",
    "entities": "实体",
    "relations": "关系",
    "signals": "线索",
    "outbox": "待发",
    "bookkeeping": "账务",
    "account": "账号",
}


def lines(receipt: Receipt, lang: str) -> Iterator[str]:
    """The receipt, place by place; `lang` is zh or en."""
    index = 0 if lang == "zh" else 1

    def say(key: str, **words: object) -> str:
        return _TEXTS[key][index].format(**words)

    for place, (before, after) in receipt.counts.items():
        if before > after:  # The history grows by a line without content: that something was forgotten.
            yield say("count", place=_place(place, lang), before=before, after=after)
    if receipt.proved:
        more = " …" if len(receipt.proved) > _LISTED else ""
        places = ", ".join(_place(place, lang) for place in receipt.proved[:_LISTED]) + more
        yield say("proved", count=len(receipt.proved), places=places)
    for place in receipt.requested:
        yield say("requested", place=_told(place, lang))
    for place, why in receipt.retained.items():
        yield say("retained", place=_place(place, lang), why=_told(why, lang))
    for place, count in receipt.remaining.items():
        yield say("remaining", place=place, count=count)
    if receipt.shared:
        yield say("shared", count=receipt.shared)


def _place(place: str, lang: str) -> str:
    return _PLACES.get(place, place) if lang == "zh" else place


def _told(text: str, lang: str) -> str:
    for en, zh in _IN_CHINESE.items() if lang == "zh" else ():
        text = text.replace(en, zh)
    return text
