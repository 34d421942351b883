"""Made-up identity numbers with valid check characters; the region 990000 doesn't exist, so no company is hit."""

from stdnum.cn import uscc
from stdnum.eu import vat

from invoices.identity import body_check_character

REGION = "990000"


def credit_code(serial: int, kind: str = "91") -> str:
    """A unified social credit code (GB 32100-2015) of the region that doesn't exist; both checks hold."""
    body = f"{serial:08d}"
    start = f"{kind}{REGION}{body}{body_check_character(body)}"
    return start + uscc.calc_check_digit(start)


_VAT_SHAPES = {
    "DE": "DE{body:08d}{check}",
    "FR": "FR{check:02d}{body:09d}",
    "IT": "IT{body:07d}001{check}",
    "NL": "NL{body:08d}{check}B01",
    "ES": "ESB{body:07d}{check}",
}


def vat_id(country: str, serial: int) -> str:
    """The first VAT id with valid check digits from `serial` on (DE, FR, IT, NL, ES)."""
    shape = _VAT_SHAPES[country]
    options = (shape.format(body=serial + step, check=check) for step in range(1000) for check in range(100))
    return next(option for option in options if vat.is_valid(option))


def digital_number(year: int, serial: int) -> str:
    """A 20-digit number of a fully digitalised invoice: year, region 99, channel, sequence."""
    return f"{year % 100:02d}99{serial:016d}"
