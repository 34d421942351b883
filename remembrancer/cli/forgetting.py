"""`remembrancer memory forget...` and `hold`: forgetting for good, and what may not be destroyed yet."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer
from rich.text import Text

from memory.defaults import Forgetting, SweepVerb
from memory.model import Receipt
from memory.scope import Scope
from remembrancer.cli.shared import WAITS_FOR_A_PERSON, Terminal, print_json, terminal_of
from remembrancer.memories import receipt_json
from remembrancer.receipts import lines

User = Annotated[str, typer.Option(help="Whose memory (default: this account's).")]
Company = Annotated[bool, typer.Option("--company", help="The company's pool instead of a person's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Reason = Annotated[str, typer.Option(help="Why; kept in the history.")]
By = Annotated[str, typer.Option(help="Who orders it (default: this account).")]

_TEXTS = {
    "forgotten": ("已忘掉。", "Forgotten."),
    "really": (
        "这会删除 {user} 的全部记忆和对话（{count} 条记忆），无法撤销。确认请运行：\n"
        "  remembrancer memory forget-me --user {user} --confirm {token}",
        "This deletes all memories and conversations of {user} ({count} memories); it can't be undone. To confirm:\n"
        "  remembrancer memory forget-me --user {user} --confirm {token}",
    ),
    "no holds": ("没有法律保留。", "There is no legal hold."),
}
_SWEPT = {
    "expired": ("已到期", "their time was over"),
    "unused": ("久未使用", "not used for long"),
    "seldom": ("很少使用", "seldom used"),
    "capacity": ("超出容量，最不重要的先忘", "over the capacity, the least important first"),
    "held": ("法律保留期满，现已删除", "kept by a legal hold that is over, deleted now"),
    "store items": ("到期的存储项", "items of the store whose time was over"),
    "deletions": ("补完了中断的删除", "deletions that were finished"),
}
_USUAL = Forgetting()
holds = typer.Typer(help="Legal holds: what is forgotten stays apart, found by nobody, until the hold ends.")


def register(app: typer.Typer) -> None:
    """Add the commands to the group `memory`."""
    app.command("forget")(forget)
    app.command("forget-message")(forget_message)
    app.command("forget-me")(forget_me)
    app.command("sweep")(sweep)
    app.add_typer(holds, name="hold")


def _scope(terminal: Terminal, user: str, company: bool = False) -> Scope:
    from remembrancer.wiring import account_name

    tenant = terminal.settings.tenant
    return Scope.tenant(tenant) if company else Scope.user(tenant, user or account_name())


def _say(terminal: Terminal, key: str, **words: object) -> str:
    return _TEXTS[key][0 if terminal.say.lang == "zh" else 1].format(**words)


def _show(receipt: Receipt, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        print_json(receipt_json(receipt))
    else:
        terminal.console.print(_say(terminal, "forgotten"))
        for line in lines(receipt, terminal.say.lang):
            terminal.console.print(Text(line), soft_wrap=True)
    if receipt.remaining:
        raise typer.Exit(1)


def forget(
    context: typer.Context,
    memory_id: Annotated[str, typer.Argument(help="The memory's id, as `memory list` shows it.")],
    user: User = "",
    company: Company = False,
    reason: Reason = "asked for",
    as_json: AsJson = False,
) -> None:
    """Delete one memory with its versions, everywhere and for good, and show the receipt."""
    from remembrancer.eraser import open_eraser

    terminal = terminal_of(context)
    with open_eraser(terminal.settings) as eraser:
        receipt = eraser.forget(_scope(terminal, user, company), memory_id, reason=reason)
    _show(receipt, terminal, as_json)


def forget_message(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(help="The conversation.")],
    message: Annotated[str, typer.Argument(help="The message's id, as `memory show` tells it.")],
    user: User = "",
    as_json: AsJson = False,
) -> None:
    """Delete one message with what only it supports, everywhere and for good, and show the receipt."""
    from remembrancer.eraser import open_eraser

    terminal = terminal_of(context)
    with open_eraser(terminal.settings) as eraser:
        receipt = eraser.forget_message(_scope(terminal, user), thread, message)
    _show(receipt, terminal, as_json)


def forget_me(
    context: typer.Context,
    user: User = "",
    confirm: Annotated[str, typer.Option(help="The token that the command prints without it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Delete everything of a person: without --confirm it only says how to confirm, and exits with 3."""
    from remembrancer.eraser import open_eraser

    terminal = terminal_of(context)
    scope = _scope(terminal, user)
    with open_eraser(terminal.settings) as eraser:
        if not confirm:
            _ask_again(
                terminal, scope, eraser.memory.forget_me_token(scope), len(eraser.memory.current(scope)), as_json
            )
        receipt = eraser.forget_me(scope, confirm=confirm)
    _show(receipt, terminal, as_json)


def _ask_again(terminal: Terminal, scope: Scope, token: str, count: int, as_json: bool) -> None:
    if as_json:
        print_json({"user": scope.user_id, "memories": count, "confirm": token})
    else:
        said = _say(terminal, "really", user=scope.user_id, count=count, token=token)
        terminal.console.print(Text(said), soft_wrap=True)
    raise typer.Exit(WAITS_FOR_A_PERSON)


def sweep(
    context: typer.Context,
    unused_days: Annotated[float, typer.Option(help="Not used for so many days.")] = _USUAL.unused_days,
    monthly_uses: Annotated[float, typer.Option(help="Used less often than this in 30 days.")] = _USUAL.monthly_uses,
    capacity: Annotated[int, typer.Option(help="Memories that the company may have.")] = _USUAL.capacity,
    verb: Annotated[SweepVerb, typer.Option(help="What is done to the unused ones.")] = _USUAL.verb,
    as_json: AsJson = False,
) -> None:
    """Forget what is over, unused, seldom used or too much, in small batches; the reasons stand in the history.

    Critical facts - who somebody is, what he is allergic to - go only when their time is over or room is short.
    """
    from remembrancer.eraser import open_eraser

    terminal = terminal_of(context)
    chosen = Forgetting(unused_days=unused_days, monthly_uses=monthly_uses, capacity=capacity, verb=verb)
    with open_eraser(terminal.settings) as eraser:
        taken = eraser.sweep(settings=chosen)
    if as_json:
        print_json(taken)
        return
    for rule, count in taken.items():
        terminal.console.print(Text(f"  {count:>6}  {terminal.say.of(_SWEPT[rule])}"))


@holds.command("add")
def add_hold(
    context: typer.Context,
    reason: Annotated[str, typer.Option(help="By which order or duty.")],
    user: User = "",
    company: Company = False,
    until: Annotated[datetime | None, typer.Option(help="When it ends by itself.")] = None,
    by: By = "",
) -> None:
    """Put a legal hold on somebody's memory and print its id."""
    from remembrancer.eraser import open_eraser

    terminal = terminal_of(context)
    end = until.replace(tzinfo=terminal.settings.zone) if until else None
    with open_eraser(terminal.settings) as eraser:
        scope, who = _scope(terminal, user, company), by or eraser.services.account
        print(eraser.hold(scope, reason=reason, by=who, until=end))


@holds.command("list")
def list_holds(context: typer.Context, user: User = "", company: Company = False, as_json: AsJson = False) -> None:
    """List somebody's legal holds, lifted ones included."""
    from remembrancer.wiring import open_services

    terminal = terminal_of(context)
    found = open_services(terminal.settings).memory().holds(_scope(terminal, user, company))
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        end = each.lifted_at or each.until
        ends = f" – {end:%Y-%m-%d}" if end else ""
        terminal.console.print(
            Text(f"{each.hold_id}  {each.placed_at:%Y-%m-%d}{ends}  {each.placed_by}  {each.reason}")
        )
    if not found:
        terminal.console.print(_say(terminal, "no holds"))


@holds.command("remove")
def remove_hold(
    context: typer.Context,
    hold_id: Annotated[str, typer.Argument(help="The hold's id, as `hold list` shows it.")],
    user: User = "",
    company: Company = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """End a legal hold; what it alone kept is erased now, and the receipt is shown."""
    from remembrancer.eraser import completed, open_eraser

    terminal = terminal_of(context)
    with open_eraser(terminal.settings) as eraser:
        who = by or eraser.services.account
        finished = eraser.lift_hold(_scope(terminal, user, company), hold_id, by=who)
    _show(completed(Receipt(), finished), terminal, as_json)
