"""Control characters made visible: a text from outside steers no terminal, forges no log line, turns no words round."""

import re

_STEERING = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1 (a terminal takes \x9b for ESC [)
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # direction overrides and isolates
    "\ufff9-\ufffb"  # interlinear annotation
    "\U000e0001\U000e0020-\U000e007f"  # tag characters
    "\ud800-\udfff"  # lone surrogates, which no stream can write
)
_IN_TEXT = re.compile(f"[{_STEERING}]")
_IN_LINE = re.compile(f"[{_STEERING}\n\t]")


def visible(text: str) -> str:
    r"""`text` with each steering character written as its escape (`\x1b`, `\u202e`); line feeds and tabs stay."""
    return _IN_TEXT.sub(_escape, text)


def visible_line(text: str) -> str:
    """The same for what must stay one line: line feeds and tabs are written out, too."""
    return _IN_LINE.sub(_escape, text)


def visible_json(document: str) -> str:
    """A JSON document with the steering characters of its strings escaped as JSON escapes them."""
    return _IN_TEXT.sub(_json_escape, document)


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


def _json_escape(found: re.Match[str]) -> str:
    units = found.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
