"""What stands on Chinese invoices: labels, shapes of values, kinds of documents. Data for `cn_page`."""

import re
from dataclasses import dataclass
from typing import Literal

MONEY = re.compile(r"-?[¥￥]?-?\d[\d,]*\.\d{2}(?!\d)")
MONEY_OR_FREE = re.compile(r"-?[¥￥]?-?\d[\d,]*\.\d{1,2}(?![\d%])|\*{2,}|免税")
FARE = re.compile(r"(?:CNY)?\s*-?[¥￥]?-?\d[\d,]*(?:\.\d{1,2})?")
TAX_ID = re.compile(r"^[0-9A-Z*]{6,20}$")
DATE = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日|\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{8}(?!\d)")
CAPITALS = re.compile(r"(?:[（(]负数[)）])?负?[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿元圆角分整正]{2,}")
DIGITS = re.compile(r"\d{5,25}")

NAME_LABEL = re.compile(r"(?:购买方|购方|买方|销售方|销方|卖方)?(?<![目务物户站])名称[:：]")
ID_LABEL = re.compile(r"(?:统一社会信用代码[/／]?)?纳税人识别号[:：]?|统一社会信用代码[:：]|(?<!人)识别号[:：]")
BUYER_WORDS = ("购", "买")
SELLER_WORDS = ("销", "卖")
VERTICAL = frozenset("购买销售方密码区备注信息说明")
"""Letters of block labels that are written from top to bottom beside a block."""

TOTAL_LABELS = (re.compile(r"[（(]?小写[)）]?[:：]?"), re.compile(r"价税合计[:：]?"))
SUM_LABEL = re.compile(r"(?<!税)合计(?!税额|金额)")
CAPITAL_LABEL = re.compile(r"大写[)）]?[:：]?")
ITEM_HEADING = re.compile(r"项目名称|货物或应税劳务")
COLUMNS = {
    "name": re.compile(r"项目名称|货物或应税劳务、?服务名称"),
    "specification": re.compile(r"规格型号"),
    "unit": re.compile(r"单位"),
    "quantity": re.compile(r"数量"),
    "unit_price": re.compile(r"单价"),
    "net": re.compile(r"金额"),
    "rate": re.compile(r"税率(?:/征收率)?"),
    "tax": re.compile(r"税额"),
}

Way = Literal["beside", "below"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One field: its label, the shape of its value, and on which side of the label the value stands."""

    field: str
    label: re.Pattern[str]
    value: re.Pattern[str]
    way: Way = "beside"


def _rows(*rows: tuple[str, str, re.Pattern[str], Way]) -> tuple[Labelled, ...]:
    return tuple(Labelled(field, re.compile(label), value, way) for field, label, value, way in rows)


_ANY = re.compile(r"\S.*\S|\S")
COMMON = _rows(
    ("code", r"发票代码[:：]?", re.compile(r"\d{10,12}"), "beside"),
    ("number", r"(?:数电)?(?:发票|票据)号码[:：]?", DIGITS, "beside"),
    ("date", r"(?:开票|填开)日期[:：]?", DATE, "beside"),
    ("check_code", r"校验码[:：]?", re.compile(r"(?:\d{5}\s?){3}\d{5}|\d{6,20}"), "beside"),
    ("machine_number", r"机器编号[:：]?", DIGITS, "beside"),
    ("drawer", r"开票人[:：]?", _ANY, "beside"),
)
RAIL = _rows(
    ("total", r"票价[:：]?", re.compile(r"[¥￥]?-?\d[\d,]*\.\d{1,2}"), "beside"),
    ("ticket_number", r"电子客票号(?:码)?[:：]?", re.compile(r"[0-9A-Z]{8,30}"), "beside"),
)
AIR = _rows(
    ("fare", r"票价", FARE, "below"),
    ("fuel_surcharge", r"燃油附加费", FARE, "below"),
    ("tax", r"增值税税额", FARE, "below"),
    ("air_fund", r"民航发展基金", FARE, "below"),
    ("other_taxes", r"其他税费", FARE, "below"),
    ("total", r"(?<!税)合计", FARE, "below"),
    ("ticket_number", r"电子客票号码[:：]?", re.compile(r"[\d-]{10,20}"), "beside"),
    ("seller", r"填开单位[:：]", _ANY, "beside"),
)
TAXI = _rows(
    ("code", r"(?<![验用])代码[:：]?", re.compile(r"\d{10,12}"), "beside"),
    ("number", r"(?<!票)号码[:：]?", re.compile(r"\d{8}"), "beside"),
    ("date", r"(?<!票)日期[:：]?", DATE, "beside"),
    ("total", r"(?:实收|应收)?金额[:：]?", re.compile(r"[¥￥]?\d[\d,]*\.\d{1,2}"), "beside"),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of document: its word for `kind`, how its title is known, and labels of its own."""

    name: str
    title: re.Pattern[str]
    labels: tuple[Labelled, ...] = ()


KINDS = (
    Kind("rail", re.compile(r"铁路电子客票"), RAIL),
    Kind("air", re.compile(r"航空运输电子客票"), AIR),
    Kind("taxi", re.compile(r"出租(?:汽)?车"), TAXI),
    Kind("toll", re.compile(r"通行费")),
    Kind("", re.compile(r"发票|客票|行程单")),
)
"""In order; the last one is any other invoice. A text that none of them fits is no Chinese invoice."""

TITLE = re.compile(
    r"电子发票[（(][^)）]{2,24}[)）]|[\u4e00-\u9fff]{0,8}增值税[\u4e00-\u9fff]{2,12}发票|[\u4e00-\u9fff]{2,12}发票"
)

STOPS = re.compile(
    "|".join(
        (
            NAME_LABEL.pattern,
            ID_LABEL.pattern,
            r"地址[、,，]?电?话?[:：]|电话[:：]|开户行及?账?号?[:：]|开户银行[:：]|银行账号[:：]|密码区|机器编号|发票代码[:：]|发票号码[:：]",
            r"(?:开票|填开)日期[:：]?|校验码[:：]?|收款人[:：]?|复核[:：]?|开票人[:：]?|价税合计|[（(]小写|[（(]?大写",
            r"备注[:：]|订单号[:：]|票价|燃油附加费|增值税税率|增值税税额|民航发展基金|其他税费|(?<!税)合计|电子客票号码?[:：]",
            r"验证码[:：]|提示信息[:：]|保险费[:：]|填开单位[:：]|销售网点代号[:：]|车牌号|通行日期|类型|规格型号|税率|税额|金额",
        )
    )
)
