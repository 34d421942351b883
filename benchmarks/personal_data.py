"""Personal data measured: span recall and precision. Run: `python -m benchmarks.personal_data [--verbose]`.

First the labelled sentences of the corpus; then sentences of our own around numbers made by algorithm, in other words and
other dress (spaces, full width, Chinese figures), beside numbers that only look like personal ones.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.measuring import folder
from foundation.masking import find, is_card_number, is_citizen_id

KINDS = {
    "ID": "citizen id",
    "BANK": "card",
    "MOBILE": "phone",
    "EMAIL": "mail",
    "ADDR": "address",
    "PASSPORT": "passport",
}
SEED = 20260304
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_FIGURES = str.maketrans("0123456789", "零一二三四五六七八九")


@dataclass(frozen=True)
class Sample:
    """A sentence and the spans that are private in it."""

    text: str
    spans: frozenset[tuple[int, int, str]]


def labelled() -> Iterator[Sample]:
    for line in (folder() / "memory" / "pii_zh_half.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Sample(row["text"], frozenset((start, end, KINDS[kind]) for start, end, kind in row["spans"]))


def digits(random_: random.Random, count: int) -> str:
    return "".join(random_.choice("0123456789") for _ in range(count))


def citizen_id(random_: random.Random) -> str:
    first = f"{random_.choice(['110105', '440106', '320583'])}19{random_.randint(50, 99)}{random_.randint(1, 12):02}{random_.randint(1, 28):02}{digits(random_, 3)}"
    return next(first + check for check in "0123456789X" if is_citizen_id(first + check))


def no_citizen_id(random_: random.Random) -> str:
    real = citizen_id(random_)
    return real[:17] + next(check for check in "0123456789" if not is_citizen_id(real[:17] + check))


def card(random_: random.Random) -> str:
    first = f"6217{digits(random_, 14)}"
    return next(first + check for check in "0123456789" if is_card_number(first + check))


def mobile(random_: random.Random) -> str:
    return f"1{random_.choice('3578')}{digits(random_, 9)}"


def iban(random_: random.Random) -> str:
    account = digits(random_, 18)
    return f"DE{98 - int(account + '131400') % 97:02}{account}"


Make = Callable[[random.Random], str]
POSITIVE: tuple[tuple[str, Make, str], ...] = (
    ("办入住要登记，{}是我的证件", citizen_id, "citizen id"),
    ("实名认证填 {} 就行", citizen_id, "citizen id"),
    ("我老婆的身份证：{}。", citizen_id, "citizen id"),
    ("ID number {} for the visa", citizen_id, "citizen id"),
    ("卡号{}，开户行在杭州", card, "card"),
    ("please refund to {} thanks", card, "card"),
    ("把钱转到{}", card, "card"),
    ("联系方式：{}", mobile, "phone"),
    ("call me at {} after six", mobile, "phone"),
    ("订单有问题就打{}", mobile, "phone"),
    ("我电话{}微信同号", mobile, "phone"),
    ("座机0571-{}", lambda r: f"8{digits(r, 7)}", ""),
    ("IBAN {}", iban, "bank account"),
    ("发到{}吧", lambda r: f"lin.{digits(r, 3)}@mail.example.com", "mail"),
    ("护照：{}", lambda r: f"E{digits(r, 8)}", "passport"),
    ("passport no {}", lambda r: f"EB{digits(r, 7)}", "passport"),
    (
        "家住{}",
        lambda r: f"上海市浦东新区世纪大道{r.randint(1, 999)}号{r.randint(1, 30)}号楼{r.randint(101, 2900)}室",
        "address",
    ),
)
NEGATIVE: tuple[tuple[str, Make], ...] = (
    ("运单号{}已签收", no_citizen_id),
    ("发票号码{}", lambda r: digits(r, 20)),
    ("流水号：{}", lambda r: digits(r, 16)),
    ("金额{}元", lambda r: f"{r.randint(1, 999_999)}.{digits(r, 2)}"),
    ("日期{}", lambda r: f"2026{r.randint(1, 12):02}{r.randint(1, 28):02}"),
    ("版本{}", lambda r: f"{r.randint(1, 9)}.{r.randint(0, 99)}.{r.randint(0, 99)}"),
    ("统一社会信用代码91330106{}", lambda r: f"MA2{digits(r, 7)}"),
    ("invoice number {}", lambda r: f"INV-{digits(r, 8)}"),
    ("order {} shipped", lambda r: digits(r, 12)),
    ("epoch {} is the start", lambda r: f"17{digits(r, 8)}"),
)  # fmt: skip


def own() -> Iterator[Sample]:
    random_ = random.Random(SEED)
    for _ in range(40):
        for template, make, kind in POSITIVE:
            value = make(random_)
            if not kind:
                at = template.index("0571")
                text = template.format(value)
                yield Sample(text, frozenset({(at, len(text), "phone")}))
                continue
            value = dressed(value, kind, random_)
            at = template.index("{}")
            yield Sample(template.format(value), frozenset({(at, at + len(value), kind)}))
        for template, make in NEGATIVE:
            yield Sample(template.format(make(random_)), frozenset())


def dressed(value: str, kind: str, random_: random.Random) -> str:
    """The number as some people write it."""
    dress = random_.randrange(5)
    if dress == 0 and kind in ("citizen id", "card", "phone"):
        return value.translate(_WIDE)
    if dress == 1 and kind == "card":
        return " ".join(value[at : at + 4] for at in range(0, len(value), 4))
    if dress == 2 and kind == "phone":
        return f"{value[:3]}-{value[3:7]}-{value[7:]}"
    if dress == 3 and kind == "phone":
        return value.translate(_FIGURES)
    return value


def report(name: str, samples: Iterator[Sample], *, verbose: bool) -> None:
    counts: Counter[str] = Counter()
    for sample in samples:
        found = {(span.start, span.end, span.kind) for span in find(sample.text)}
        counts.update(hit=len(sample.spans & found), wanted=len(sample.spans), found=len(found))
        if verbose and found != sample.spans:
            print(f"    {sample.text!r}: wanted {sorted(sample.spans)}, found {sorted(found)}")
    recall, precision = counts["hit"] / counts["wanted"], counts["hit"] / counts["found"]
    print(f"{name}: {counts['wanted']} spans, recall {recall:.3f}, precision {precision:.3f}")


def main() -> None:
    verbose = "--verbose" in sys.argv
    report("pii_zh_half.jsonl", labelled(), verbose=verbose)
    report("own sentences", own(), verbose=verbose)


if __name__ == "__main__":
    main()
