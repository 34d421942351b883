"""What the page says, in Chinese and English beside each other; statuses, fields and triggers are the program's own."""

from collections.abc import Mapping

from fastapi import Request

from invoices.findings import Lang
from remembrancer.inbox.account_texts import TEXTS as ACCOUNT_TEXTS
from remembrancer.inbox.texts import TEXTS
from remembrancer.rule_names import RULE_NAMES
from remembrancer.settings import Settings
from remembrancer.texts import TEXTS as SHARED
from remembrancer.texts import filled

LANGS: tuple[Lang, ...] = ("zh", "en")
_ALL: Mapping[str, tuple[str, str]] = {
    **SHARED,
    **TEXTS,
    **ACCOUNT_TEXTS,
    **{f"rule.{rule}": names for rule, names in RULE_NAMES.items()},
}


class Words:
    """Says texts in one language."""

    def __init__(self, lang: Lang) -> None:
        """Speak this language."""
        self.lang: Lang = lang
        self._column = LANGS.index(lang)

    def __call__(self, key: str, **words: object) -> str:
        """The text of this key with its words filled in."""
        return filled(_ALL[key][self._column], **words)

    def rule(self, rule: str) -> str:
        """A rule's short name; its id where it has none, as a standard's own rules."""
        return self.maybe(f"rule.{rule}", rule)

    def maybe(self, key: str, otherwise: str) -> str:
        """The text of this key, or `otherwise` where there is none."""
        return _ALL[key][self._column] if key in _ALL else otherwise


def words_for(request: Request, settings: Settings) -> Words:
    """The language chosen on the page, else the configured one, else the one the browser asks for first."""
    asked = request.cookies.get("lang") or settings.lang or _first_asked(request.headers.get("accept-language", ""))
    return Words("zh" if asked.lower().startswith("zh") else "en")


def _first_asked(header: str) -> str:
    """The first language of the header that is spoken here."""
    tags = [part.partition(";")[0].strip().lower() for part in header.split(",")]
    return next((tag for tag in tags if tag.startswith(LANGS)), "en")
