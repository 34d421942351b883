"""Lists and folders of `examples/mixed`: XLSX, CSV, zip."""

import io
from collections.abc import Iterator, Sequence
from datetime import datetime

from examples.forms import cn_layouts as layouts
from examples.forms import cn_xml
from examples.forms.mixed_cn import nested_zip
from examples.forms.ofd import zipped
from examples.forms.people import digital, older
from examples.forms.sample import Sample
from examples.forms.sheet import pdf
from examples.forms.truth import Made

HEADINGS = (
    "发票代码",
    "发票号码",
    "开票日期",
    "销方名称",
    "销方识别号",
    "购方名称",
    "购买方识别号",
    "金额",
    "税额",
    "价税合计",
)


def _row(sample: Sample) -> tuple[str, ...]:
    return (
        sample.code,
        sample.number,
        sample.day.isoformat(),
        sample.seller,
        sample.seller_tax_id,
        sample.buyer,
        sample.buyer_tax_id,
        f"{sample.net:.2f}",
        f"{sample.tax:.2f}",
        f"{sample.total:.2f}",
    )


def workbook(samples: Sequence[Sample], *, title: bool = False, number_cells: bool = False) -> bytes:
    """An XLSX list; `number_cells` stores numbers and amounts as numbers, which loses digits after the 15th."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"created": datetime(2026, 1, 1)})
    sheet = book.add_worksheet("发票")
    if title:
        sheet.write_string(0, 0, "发票清单（2026 年 3 月）")
    first = 2 if title else 0
    for column, heading in enumerate(HEADINGS):
        sheet.write_string(first, column, heading)
    for index, sample in enumerate(samples, start=first + 1):
        for column, text in enumerate(_row(sample)):
            if number_cells and column in {1, 7, 8, 9}:
                sheet.write_number(index, column, float(text))
            else:
                sheet.write_string(index, column, text)
    book.close()
    return buffer.getvalue()


def listing(samples: Sequence[Sample], encoding: str) -> bytes:
    """A CSV list."""
    rows = [HEADINGS, *(_row(sample) for sample in samples)]
    return "\r\n".join(",".join(row) for row in rows).encode(encoding)


def documents() -> Iterator[Made]:
    """Lists and folders."""
    samples = [digital(201), older(202, seller=1), digital(203, seller=2)]
    truths = tuple(sample.truth("currency") for sample in samples)
    yield Made("list-text.xlsx", workbook(samples), truths, again=True)
    yield Made("list-titled.xlsx", workbook(samples, title=True), truths, again=True)
    lost = [digital(204_000_123)]
    fault = ("20-digit number stored as a number",)
    truth = lost[0].truth("currency", "number")
    content = workbook(lost, number_cells=True)
    rules = ("sources_differ", "confidence")
    yield Made("list-lost-digits.xlsx", content, (truth,), None, ("lost_digits",), fault, ("number",), rules)
    yield Made("list-gb18030.csv", listing(samples, "gb18030"), truths)
    yield Made("list-utf16.csv", listing(samples, "utf-16"), truths, again=True)
    yield Made(
        "list-notes.csv", "今天,天气,很好\n1,2,3\n".encode(), reason="unknown_form", faults=("no list of invoices",)
    )
    inner = {
        "发票/甲.xml": cn_xml.digital_xml(digital(211)),
        "发票/乙.pdf": pdf([layouts.digital(digital(212, seller=1))]),
        "丙.zip": zipped({"丁.xml": cn_xml.digital_xml(digital(213, seller=2))}),
        "__MACOSX/._甲.xml": b"noise",
    }
    folder = tuple(sample.truth() for sample in (digital(211), digital(212, seller=1), digital(213, seller=2)))
    yield Made("folder.zip", zipped(inner), folder)
    deep = nested_zip({"a.xml": cn_xml.digital_xml(digital(214))}, 5)
    yield Made("folder-too-deep.zip", deep, reason="zip_bomb", faults=("zips nested too deep",))
    bomb = zipped({"a.xml": b"\0" * (30 * 2**20)})
    yield Made("folder-bomb.zip", bomb, reason="zip_bomb", faults=("zip bomb",))
    yield Made("folder-cut.zip", zipped(inner)[:2000], reason="broken_zip", faults=("truncated",))
