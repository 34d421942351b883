"""The layouts of Chinese invoices: digital, older electronic, toll, rail, air, taxi."""

from dataclasses import dataclass
from datetime import date

from examples.forms.sample import Sample, capitals
from examples.forms.sheet import Sheet

_COLUMNS = (
    ("项目名称", 20.0),
    ("规格型号", 150.0),
    ("单 位", 225.0),
    ("数 量", 275.0),
    ("单 价", 340.0),
    ("金 额", 410.0),
    ("税率/征收率", 470.0),
    ("税 额", 545.0),
)


@dataclass(frozen=True)
class Look:
    """How a digital invoice is set: how far its columns are moved, and its title."""

    shift: float = 0.0
    title: str = "电子发票（普通发票）"
    wrap_seller_at: int = 0
    """Letters after which the seller's name goes on in a second line; 0: never."""


def digital(sample: Sample, look: Look = Look()) -> Sheet:
    """A fully digitalised invoice: buyer on the left, seller on the right."""
    sheet = Sheet()
    middle = 300 + look.shift
    sheet.put(200, 18, look.title, 16)
    sheet.put(430, 22, "发票号码：")
    sheet.put(478, 22, sample.number)
    sheet.put(430, 40, "开票日期：")
    sheet.put(478, 40, sample.chinese_day)
    sheet.down(16, 76, "购买方信息")
    sheet.down(middle, 76, "销售方信息")
    for x, name, tax_id in (
        (32, sample.buyer, sample.buyer_tax_id),
        (middle + 18, sample.seller, sample.seller_tax_id),
    ):
        cut = look.wrap_seller_at if name == sample.seller and look.wrap_seller_at else len(name)
        sheet.put(x, 80, "名称：")
        sheet.put(x + 30, 80, name[:cut])
        if name[cut:]:
            sheet.put(x + 30, 91, name[cut:])
        sheet.put(x, 112, "统一社会信用代码/纳税人识别号：")
        sheet.put(x + 142, 112, tax_id)
    _table(sheet, sample, 145, 250)
    sheet.put(60, 268, "价税合计（大写）")
    sheet.put(180, 268, f"⊗{capitals(sample.total)}")
    sheet.put(420, 268, "（小写）")
    sheet.put(460, 268, f"¥{sample.total:.2f}")
    sheet.down(16, 288, "备注")
    sheet.put(32, 290, sample.remark)
    sheet.put(60, 360, "开票人：")
    sheet.put(100, 360, "测试员")
    return sheet


def _table(sheet: Sheet, sample: Sample, top: float, bottom: float) -> None:
    for heading, x in _COLUMNS:
        sheet.put(x, top, heading)
    step = min(16.0, (bottom - top - 14) / max(len(sample.items), 1))
    for index, item in enumerate(sample.items):
        y = top + 16 + index * step
        rate = f"{item.rate}%" if item.rate.isdigit() else item.rate
        cells = (item.name, item.specification, item.unit, item.quantity, f"{item.price}", f"{item.net:.2f}", rate)
        for (_, x), text in zip(_COLUMNS, (*cells, item.tax_text), strict=True):
            if text:
                sheet.put(x, y, text, min(9.0, step))
    sheet.put(60, bottom, "合")
    sheet.put(96, bottom, "计")
    sheet.put(402, bottom, f"¥{sample.net:.2f}")
    sheet.put(537, bottom, f"¥{sample.tax:.2f}" if sample.tax_text != "***" else "***")


def older(sample: Sample, *, title: str = "测试增值税电子普通发票", toll: bool = False) -> Sheet:
    """An older electronic invoice with a code: buyer on top, seller at the bottom."""
    sheet = Sheet()
    sheet.put(190, 18, title, 15)
    if toll:
        sheet.put(20, 20, "通行费", 12)
    head = (("发票代码：", sample.code), ("发票号码：", sample.number), ("开票日期：", sample.chinese_day))
    for index, (label, text) in enumerate((*head, ("校 验 码：", "12345 67890 12345 67890"))):
        sheet.put(421, 20 + 15 * index, label)
        sheet.put(467, 20 + 15 * index, text)
    sheet.down(19, 90, "购买方", step=18)
    sheet.down(341, 90, "密码区", step=18)
    for index in range(4):
        sheet.put(366, 88 + 13 * index, "0062477>548-1109>61*9-52160+"[index:] + "+" * index)
    _older_party(sheet, 88, sample.buyer, sample.buyer_tax_id)
    _table(sheet, sample, 150, 261)
    sheet.put(49, 277, "价税合计（大写）")
    sheet.put(179, 277, capitals(sample.total))
    sheet.put(444, 277, "（小写）")
    sheet.put(478, 277, f"¥{sample.total:.2f}")
    sheet.down(19, 299, "销售方", step=18)
    _older_party(sheet, 297, sample.seller, sample.seller_tax_id)
    sheet.put(360, 300, sample.remark)
    return sheet


def _older_party(sheet: Sheet, y: float, name: str, tax_id: str) -> None:
    sheet.put(38, y, "名")
    sheet.put(82, y, "称：")
    sheet.put(104, y, name)
    sheet.put(38, y + 15, "纳税人识别号：")
    sheet.put(104, y + 13, tax_id)
    sheet.put(38, y + 30, "地 址、电 话：")
    sheet.put(38, y + 45, "开户行及账号：")


def rail(sample: Sample, traveller: str = "测试旅客") -> Sheet:
    """A rail e-ticket invoice; it names no seller, its fare is the total."""
    sheet = Sheet()
    sheet.put(170, 20, "电子发票（铁路电子客票）", 16)
    sheet.put(40, 60, f"发票号码:{sample.number}")
    sheet.put(400, 60, f"开票日期:{sample.chinese_day}")
    sheet.put(80, 100, "甲城南站", 14)
    sheet.put(250, 100, "G1024", 14)
    sheet.put(400, 100, "乙城东站", 14)
    sheet.put(40, 140, f"{sample.chinese_day}  08:00开    05车06A号    二等座")
    sheet.put(40, 165, "票价:")
    sheet.put(66, 165, f"￥{sample.total:.2f}")
    sheet.put(40, 190, f"9900001990****0012    {traveller}")
    sheet.put(40, 215, "电子客票号:9900000000000000001")
    sheet.put(40, 245, f"购买方名称:{sample.buyer}")
    sheet.put(300, 245, f"统一社会信用代码:{sample.buyer_tax_id}")
    sheet.put(40, 300, "买票请到12306 发货请到95306 中国铁路祝您旅途愉快")
    return sheet


@dataclass(frozen=True)
class Flight:
    """What an air itinerary states beside the sample: amounts as printed."""

    fare: str
    fuel: str
    tax: str
    fund: str
    total: str


def air(sample: Sample, flight: Flight) -> Sheet:
    """An air itinerary invoice: amounts stand below their labels."""
    sheet = Sheet()
    sheet.put(162, 20, "电子发票（航空运输电子客票行程单）", 14)
    sheet.put(425, 60, "发票号码：")
    sheet.put(475, 60, sample.number)
    sheet.put(20, 90, "旅客姓名")
    sheet.put(130, 90, "有效身份证件号码")
    sheet.put(24, 110, "测试旅客")
    amounts = (
        ("票价", f"CNY {flight.fare}"),
        ("燃油附加费", f"CNY {flight.fuel}"),
        ("增值税税率", "9%"),
        ("增值税税额", f"CNY {flight.tax}"),
        ("民航发展基金", f"CNY {flight.fund}"),
        ("其他税费", "CNY 0.00"),
        ("合计", f"CNY {flight.total}"),
    )
    for index, (label, text) in enumerate(amounts):
        sheet.put(60 + 72 * index, 290, label)
        sheet.put(68 + 72 * index, 306, text)
    sheet.put(20, 330, "电子客票号码：")
    sheet.put(86, 330, "9991234567890")
    sheet.put(200, 352, f"填开单位：{sample.seller}")
    sheet.put(450, 352, "填开日期：")
    sheet.put(496, 352, sample.day.isoformat())
    sheet.put(20, 372, "购买方名称：")
    sheet.put(76, 372, sample.buyer)
    sheet.put(298, 372, f"统一社会信用代码/纳税人识别号：{sample.buyer_tax_id}")
    return sheet


def taxi(code: str, number: str, day: date, total: str) -> Sheet:
    """A taxi receipt: a narrow strip."""
    sheet = Sheet(width=180, height=320)
    sheet.put(30, 12, "测试市出租汽车专用发票", 11)
    rows = (("发票代码", code), ("发票号码", number), ("车号", "测A-T0001"), ("日期", f"{day:%Y-%m-%d}"))
    rows = (*rows, ("上车", "08:12"), ("下车", "08:40"), ("单价", "2.50元"), ("里程", "11.3km"), ("金额", f"{total}元"))
    for index, (label, text) in enumerate(rows):
        sheet.put(20, 50 + 24 * index, label)
        sheet.put(80, 50 + 24 * index, text)
    return sheet
