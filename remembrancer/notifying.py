"""Sending notices to where people look: mail, WeCom, DingTalk, Feishu, Slack, Teams, by Apprise. Off by default.

The outbox is `oversight.notices`: a notice is written with what it tells of. Here each is sent once, with a link to the
review; one that can't be sent is tried again later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from foundation.database import reading, writing
from foundation.errors import ThreadBusyError, UsageError
from foundation.locks import thread_lock
from oversight.notices import Notice, NoticeKind, body, mark_failed, mark_sent, pending, recipients, title
from remembrancer.settings import Settings
from remembrancer.texts import speech_for

if TYPE_CHECKING:
    from remembrancer.office import Office

_AT_ONCE = 50
_STALE = timedelta(days=1)
"""A notice that waited longer is news to nobody: it is passed over, as when notices are switched on late."""
_AT_IT = "notices"
_TEST = ("Remembrancer：测试通知", "Remembrancer: a test"), ("通知已设置好。", "Notices arrive here.")


@dataclass(frozen=True, slots=True)
class Sent:
    """How sending to one place went; the place without its secrets."""

    place: str
    arrived: bool


def places_of(settings: Settings) -> list[str]:
    """Where notices go, as Apprise URLs."""
    return settings.notify_urls.get_secret_value().split()


def deliver(office: "Office") -> int:
    """Send what is due, each notice once, whatever number of processes try; returns how many were sent."""
    if not places_of(office.settings):
        return 0
    try:
        with thread_lock(office.settings.home.absolute() / "locks", _AT_IT, seconds=0.0):
            return sum(_deliver_one(office, notice) for notice in _due(office))
    except ThreadBusyError:
        return 0


def send_test(settings: Settings) -> list[Sent]:
    """Send a word to every place.

    Raises:
        UsageError: no place is set.
    """
    if not places_of(settings):
        raise UsageError(
            "notices are off: set REMEMBRANCER_NOTIFY_URLS, such as mailto://USER:PASSWORD@HOST?to=ADDRESS"
        )
    say = speech_for(settings)
    return send(places_of(settings), say.of(_TEST[0]), say.of(_TEST[1]))


def send(places: Sequence[str], subject: str, text: str) -> list[Sent]:
    """Send one text to each of the places."""
    import apprise

    found = []
    for place in places:
        sender = apprise.Apprise()
        known = sender.add(place)
        shown = str(sender[0].url(privacy=True)) if known else "an address that Apprise doesn't know"  # type: ignore[no-untyped-call]
        found.append(Sent(shown, bool(known and sender.notify(title=subject, body=text))))
    return found


def _due(office: "Office") -> list[Notice]:
    with reading(office.services.engine) as connection:
        found = pending(connection, _AT_ONCE, now=office.services.clock())
    return [notice for notice in found if notice.tenant == office.services.tenant]


def _deliver_one(office: "Office", notice: Notice) -> bool:
    services, settings = office.services, office.settings
    now = services.clock()
    stale = notice.created_at < now - _STALE
    failed = (
        [] if stale else [sent.place for sent in send(places_of(settings), *_words(office, notice)) if not sent.arrived]
    )
    with writing(services.engine) as connection:
        if failed:
            mark_failed(connection, notice, f"not delivered to {', '.join(failed)}", now)
            return False
        return mark_sent(connection, notice.notice_id, now) and not stale


def _words(office: "Office", notice: Notice) -> tuple[str, str]:
    lang = speech_for(office.settings).lang
    with reading(office.services.engine) as connection:
        people = ", ".join(person.name for person in recipients(connection, notice))
    link = office.settings.inbox_url.rstrip("/")
    page = f"{link}/questions" if notice.kind is NoticeKind.ASKED else f"{link}/reviews/{notice.review_id}"
    lines = [body(notice, lang), f"→ {people}" if people else "", page if link else ""]
    return title(notice, lang), "\n".join(filter(None, lines))
