"""Why something is believed: in one line, then every source, then what happened to it, in words."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from memory.model import Event, Remembered, Source
from remembrancer.cli.shared import Terminal

Pair = tuple[str, str]

_BECAUSE: Pair = (
    "{content} —— 因为{who} {date} 说过“{quote}”（{facts}）",
    "{content} — because on {date} {who} said “{quote}” ({facts})",
)
_UNSAID: Pair = ("{content}（没有留下出处；{facts}）", "{content} (no source is left; {facts})")
_SURE: Pair = ("把握 {percent}%", "{percent}% sure")
_MORE: Pair = ("另有 {count} 处佐证", "{count} more sources")
_SINCE: Pair = ("{day} 起", "since {day}")
_UNTIL: Pair = ("到 {day} 为止", "until {day}")
_INSTEAD: Pair = ("取代“{old}”", "in place of “{old}”")
_SOURCES: Pair = ("出处", "Sources")
_HISTORY: Pair = ("经过", "What happened")
_BY_RULE: Pair = ("读法：{rule}", "read by: {rule}")
_WHO: dict[str, Pair] = {
    "user": ("你", "you"),
    "assistant": ("助手", "the assistant"),
    "tool": ("工具", "a tool"),
    "document": ("文件", "a document"),
    "reviewer": ("审核人", "a reviewer"),
    "system": ("系统", "the system"),
}
_STATUS: dict[str, Pair] = {
    "current": ("现行", "current"),
    "superseded": ("已被取代", "replaced"),
    "proposed": ("待你确认", "waits for your answer"),
    "quarantined": ("隔离待审", "quarantined"),
    "expired": ("已过期", "expired"),
    "invalidated": ("已作废", "set aside"),
}
_WHAT: dict[str, Pair] = {
    "created": ("记下", "noted"),
    "reinforced": ("再次听到", "heard again"),
    "superseded": ("被取代", "replaced"),
    "edited": ("改写", "reworded"),
    "invalidated": ("作废", "set aside"),
    "restored": ("恢复", "restored"),
    "proposed": ("提出，待确认", "proposed"),
    "asked": ("问过你", "asked about"),
    "released": ("确认", "confirmed"),
    "expired": ("到期", "expired"),
    "quarantined": ("隔离", "quarantined"),
    "forgotten": ("忘掉", "forgotten"),
    "down-weighted": ("降低排序", "ranked lower"),
    "imported": ("导入", "imported"),
}


def in_one_line(memory: Remembered, replaced: Remembered | None, terminal: Terminal) -> str:
    """The answer to "why do you believe this?"."""
    say = terminal.say.of
    newest = max(memory.sources, key=lambda each: each.said_at, default=None)
    facts = ("，" if say(("zh", "en")) == "zh" else ", ").join(_facts(memory, replaced, terminal))
    if newest is None:
        return say(_UNSAID, content=memory.content, facts=facts)
    who = _named(_WHO, newest.speaker, terminal)
    day = f"{newest.said_at.astimezone(terminal.settings.zone):%Y-%m-%d}"
    return say(_BECAUSE, content=memory.content, who=who, date=day, quote=newest.quote, facts=facts)


def explained(
    memory: Remembered, replaced: Remembered | None, events: Sequence[Event], terminal: Terminal
) -> Iterator[Text]:
    """The one line, the sources and the history, as they are printed."""
    say = terminal.say.of
    yield Text(in_one_line(memory, replaced, terminal), style="bold")
    if memory.sources:
        yield Text(f"\n{say(_SOURCES)}", style="dim")
    for source in sorted(memory.sources, key=lambda each: each.said_at):
        yield _source(source, terminal)
    yield Text(f"\n{say(_HISTORY)}", style="dim")
    for event in events:
        yield _event(event, terminal)
    yield Text(f"\n{memory.memory_id} · {say(_BY_RULE, rule=memory.rule)}", style="dim")


def _facts(memory: Remembered, replaced: Remembered | None, terminal: Terminal) -> Iterator[str]:
    say, zone = terminal.say.of, terminal.settings.zone
    yield _named(_STATUS, memory.status, terminal)
    if memory.valid_from is not None:
        yield say(_SINCE, day=f"{memory.valid_from.astimezone(zone):%Y-%m-%d}")
    if memory.valid_to is not None:
        yield say(_UNTIL, day=f"{memory.valid_to.astimezone(zone):%Y-%m-%d}")
    yield say(_SURE, percent=round(memory.confidence * 100))
    if len(memory.sources) > 1:
        yield say(_MORE, count=len(memory.sources) - 1)
    if replaced is not None:
        yield say(_INSTEAD, old=replaced.content)


def _source(source: Source, terminal: Terminal) -> Text:
    moment = f"{source.said_at.astimezone(terminal.settings.zone):%Y-%m-%d %H:%M}"
    line = Text(f"  {moment}  {_named(_WHO, source.speaker, terminal)}  “{source.quote}”")
    return line.append(f"  {source.thread_id} · {source.message_id}", style="dim")


def _event(event: Event, terminal: Terminal) -> Text:
    moment = f"{event.at.astimezone(terminal.settings.zone):%Y-%m-%d %H:%M}"
    line = Text(f"  {moment}  {_named(_WHAT, event.what, terminal)}")
    line.append(f"  {_named(_WHO, event.actor, terminal)}")
    line.append(f"  “{event.before}” → “{event.after}”" if event.before and event.after else f"  {event.after or ''}")
    why = ": ".join(part for part in (event.rule, event.reason) if part)
    return line.append(f"  ({why})", style="dim") if why else line


def _named(names: dict[str, Pair], key: str, terminal: Terminal) -> str:
    return terminal.say.of(names[key]) if key in names else key
