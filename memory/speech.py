"""Cutting a message into sentences and clauses, with what isn't the speaker's own talk blanked out.

Blanked text keeps its length, so every clause knows where it stands in the message.
"""

import re
from dataclasses import dataclass

CONTEXT_TAG = "memory-context"
"""The tag of the block that recall puts into a prompt. What comes back inside it was never said by the person."""
CONTEXT_OPEN = f"<{CONTEXT_TAG}"
CONTEXT_CLOSE = f"</{CONTEXT_TAG}>"

LONGEST_READ = 20_000
"""Characters of a message that the rules read."""
LONGEST_CLAUSE = 300
MOST_SENTENCES = 400

_BLOCK = re.compile(rf"{CONTEXT_OPEN}\b.*?(?:{CONTEXT_CLOSE}|\Z)", re.DOTALL)
_FENCE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_FORWARDED = re.compile(
    r"(?:^|\n)[ \t]*(?:-{2,}[^\n]{0,20}(?:转发|原始邮件|forwarded|original message)[^\n]{0,40}|forwarded message|fwd?:|begin forwarded"
    r"|(?:from|发件人|寄件人)\s*[:：][^\n]*\n|on [^\n]{4,60} wrote:).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*(?:>|＞|&gt;).*$")
_BRACKET_QUOTE = re.compile(
    r"[\[【［(（](?:引用|转发|回复|转自|quote\b|re:)[^\]】］)）]{0,500}[\]】］)）]", re.IGNORECASE
)
_MARKED = re.compile(r"“[^”\n]{0,300}”|「[^」\n]{0,300}」|『[^』\n]{0,300}』|\"[^\"\n]{0,300}\"|【[^】\n]{0,300}】")
_TRANSCRIPT = re.compile(r"(?m)^[ \t]*(?:[A-Z][A-Za-z]{1,15}|[\u4e00-\u9fff]{1,4})[:：][ \t]?\S.*$")
_FIRST_PERSON = re.compile(r"我|咱|俺|本人|\b(?:I|I'm|I've|my|we|our)\b", re.IGNORECASE)
_SAID = re.compile(
    r"(?:说|讲|写|问|喊|回|道|叫|称|言|原话|歌词|台词|写着|标题|句子|says?|said|wrote|writes|told me|asked|reads?|sign|called|line|goes)\s*[:：,，]?\s*$",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:(?:async\s+)?def\s|class\s+\w+\s*[(:{]|import\s+\w|from\s+[\w.]+\s+import\b|return\b.*[;({\[]|print\s*\(|console\.|func\s+\w|fn\s+\w|let\s+\w+\s*=|const\s+\w+\s*="
    r"|var\s+\w+\s*=|public\s|private\s|static\s|#include|//|/\*|\*/|\$\s+\w|git\s+\w+|npm\s|pip\s+install|sudo\s|curl\s|echo\s|(?:select|insert|update|delete|create|alter|drop)\s.*\b(?:from|into|set|table|where|values)\b"
    r"|traceback\b|\s*file \".*\", line|at\s+[\w.$]+\(|\w*(?:error|exception):|\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*\b(?:error|warn|info|debug|fatal)\b|\{.*\}\s*;?$|\[.*\]$|[{}()\[\];]+$"
    r"|[\w.\[\]]+\s*(?:=|\+=|:=)\s*\S|if\s*\(.*\)\s*\{|for\s+\w+\s+in\s+.*:|while\s.*:$|<\/?\w+[^>]*>.*<\/?\w+|\w+\(.*\)\s*[;{]?$)",
    re.IGNORECASE,
)
_COMMENT_LINE = re.compile(r"^\s*(?:#|--|;;)\s*\S")
_KEY_LINE = re.compile(r"^\s*[\"']?[a-z_][\w.\-]*[\"']?\s*:\s*\S")
_SENTENCE_END = re.compile(
    r"(?:[。！？!?；;\n]|…(?!\w{1,3}\]))+[”」』\")）]*|(?<![A-Z])(?<!\b[Mm]r)(?<!Mrs)(?<!\bDr)(?<!\bvs)(?<!\bno)(?<!e\.g)(?<!i\.e)\.+(?=\s|$|[\u4e00-\u9fff])"
)
_ZH_CLAUSE = re.compile(r"[，,：:]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|——|--|～|~")
_EN_CLAUSE = re.compile(
    r"\s[-–—]+\s|:\s|,\s*(?=(?:and |but |so |then |plus |also |btw |by the way |because )?"
    r"(?:I|I'm|I've|I'd|Im|my|we|we're|our|it's|he's|she's|they're|not?|don't|do not|please|call|just|stop|can|could|hate|love|like|prefer|live|works?|had|have|use|always|never|also|it|the|use|actually)\b)"
    r"|\s+(?:and|but|so|because|although|though|while)\s+(?=(?:also |then |now |still |really |usually |always |never )?(?:I|I'm|I've|I'd|Im|my|we|we're|our|please|stop|don't)\b)"
    r"|(?<=\w)\s*\(|\)\s*|,\s*(?=\d{1,3}(?:,\s|$))",
    re.IGNORECASE,
)


_WITH_ME = re.compile(
    r"(?:^|\b(?:next|last|this|tomorrow|today|yesterday|and|so|then|when) (?:\w+ )?)(?:my|our) \w+(?: \w+)?$|^[A-Z]\w+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of one sentence, as said."""

    text: str
    start: int
    """Offset in the message."""
    sentence: int
    """Which sentence of the message it belongs to."""
    last: bool
    """It ends its sentence."""
    asked: bool
    """Its sentence ends with a question mark."""
    quoted: bool
    """A quotation of somebody stood in its sentence."""


def without_context(text: str) -> str:
    """The message without our own block of facts that came back in it."""
    return _BLOCK.sub(" ", text[:LONGEST_READ])


def blank(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The message with foreign text replaced by spaces, and the stretches that were quotations."""
    text = text[:LONGEST_READ]
    for pattern in (_BLOCK, _FENCE):
        text = pattern.sub(_spaces, text)
    quoted: list[tuple[int, int]] = []
    for pattern in (_FORWARDED, _QUOTED_LINE, _BRACKET_QUOTE):
        text = _blanked(pattern, text, quoted)
    text = _without_transcript(text, quoted)
    text = _without_code(text)
    return _without_speech(text, quoted), quoted


def _spaces(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _blanked(pattern: re.Pattern[str], text: str, quoted: list[tuple[int, int]]) -> str:
    quoted += [found.span() for found in pattern.finditer(text)]
    return pattern.sub(lambda found: "\n" + " " * (len(found.group()) - 1), text)


def _without_transcript(text: str, quoted: list[tuple[int, int]]) -> str:
    lines = list(_TRANSCRIPT.finditer(text))
    if len(lines) < 2 or text.count("\n") + 1 > 2 * len(lines):
        return text
    quoted += [line.span() for line in lines]
    return _TRANSCRIPT.sub(_spaces, text)


def _without_code(text: str) -> str:
    lines = text.split("\n")
    code = [bool(_CODE_LINE.match(line[:LONGEST_CLAUSE])) for line in lines]
    keys = [bool(_KEY_LINE.match(line[:LONGEST_CLAUSE])) for line in lines]
    if sum(keys) >= 2:
        code = [is_code or key for is_code, key in zip(code, keys, strict=True)]
    comments = [bool(_COMMENT_LINE.match(line[:LONGEST_CLAUSE])) for line in lines]
    if any(code):
        code = [is_code or comment for is_code, comment in zip(code, comments, strict=True)]
    return "\n".join(" " * len(line) if is_code else line for line, is_code in zip(lines, code, strict=True))


def _without_speech(text: str, quoted: list[tuple[int, int]]) -> str:
    def replace(found: re.Match[str]) -> str:
        said = _SAID.search(text[max(0, found.start() - 12) : found.start()])
        inside = found.group()[1:-1]
        if _FIRST_PERSON.search(inside) or (said and len(inside) > 8) or found.group()[0] == "【":
            quoted.append(found.span())
            return " " * len(found.group())
        return found.group()

    return _MARKED.sub(replace, text)


def clauses(text: str, quoted: list[tuple[int, int]]) -> list[Clause]:
    """The clauses of a blanked message in order; a clause longer than 300 characters is left out."""
    found: list[Clause] = []
    start = 0
    for index, end in enumerate([*_SENTENCE_END.finditer(text), None]):
        if index >= MOST_SENTENCES:
            break
        stop = end.start() if end else len(text)
        mark = end.group() if end else ""
        found += _clauses_of(text, start, stop, index, asked="?" in mark or "？" in mark, quoted=quoted)
        start = end.end() if end else len(text)
    return found


def _clauses_of(
    text: str, start: int, stop: int, sentence: int, *, asked: bool, quoted: list[tuple[int, int]]
) -> list[Clause]:
    body = text[start:stop]
    pattern = _ZH_CLAUSE if re.search(r"[\u4e00-\u9fff]", body) and not _mostly_latin(body) else _EN_CLAUSE
    in_quote = any(begin < stop and start < end for begin, end in quoted)
    pieces = _pieces(pattern, body[: LONGEST_CLAUSE * 20])
    kept = [(at, piece) for at, piece in pieces if piece.strip() and len(piece) <= LONGEST_CLAUSE]
    return [
        Clause(
            piece.strip(),
            start + at + len(piece) - len(piece.lstrip()),
            sentence,
            index == len(kept) - 1,
            asked,
            in_quote,
        )
        for index, (at, piece) in enumerate(kept)
    ]


def _mostly_latin(body: str) -> bool:
    han = len(re.findall(r"[\u4e00-\u9fff]", body))
    return len(re.findall(r"[A-Za-z]+", body)) > han


def _pieces(pattern: re.Pattern[str], body: str) -> list[tuple[int, str]]:
    pieces: list[tuple[int, str]] = []
    at = 0
    for found in pattern.finditer(body):
        pieces.append((at, body[at : found.start()]))
        at = found.end()
    return _rejoined([*pieces, (at, body[at:])], body)


def _rejoined(pieces: list[tuple[int, str]], body: str) -> list[tuple[int, str]]:
    """Puts "my husband and I are going" together again."""
    joined: list[tuple[int, str]] = []
    for at, piece in pieces:
        if joined and _WITH_ME.search(joined[-1][1]) and re.match(r"I\b", piece):
            start = joined[-1][0]
            joined[-1] = (start, body[start : at + len(piece)])
        else:
            joined.append((at, piece))
    return joined
