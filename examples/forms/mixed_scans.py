"""Pictures of `examples/mixed`; made with a font file, kept in the repository."""

import io
from collections.abc import Iterator

from examples.forms import cn_layouts as layouts
from examples.forms.latin_layouts import letter
from examples.forms.people import DAY, digital, european, older
from examples.forms.sheet import Sheet, encoded, picture
from examples.forms.truth import Made

_KEY = ("number", "total")
_UNSURE = ("confidence",)


def documents(font: str) -> Iterator[Made]:
    """Scans and photos; nothing on them may reach booking confidence."""
    plain = digital(301)
    shot = encoded(picture(layouts.digital(plain), font), "PNG")
    yield Made("scan-digital.png", shot, (plain.truth(),), unsure=_KEY, rules=_UNSURE)
    old = older(302, seller=1)
    photo = encoded(picture(layouts.older(old), font, scale=2.2, tilt=0.6), "JPEG")
    yield Made(
        "scan-older-tilted.jpg", photo, (old.truth("buyer_tax_id", "seller_tax_id"),), unsure=_KEY, rules=_UNSURE
    )
    strip = layouts.taxi("199002600001", "00077302", DAY, "27.00")
    truth = {"code": "199002600001", "number": "00077302", "date": DAY.isoformat(), "total": "27.00"}
    content = encoded(picture(strip, font, scale=3), "PNG")
    yield Made("scan-taxi.png", content, (truth,), unsure=_KEY, rules=_UNSURE)
    letters = european(303)
    content = _picture_pdf(letter(letters, "de"), font)
    yield Made("scan-letter.pdf", content, (letters.truth("buyer_tax_id"),), unsure=_KEY, rules=_UNSURE)


def _picture_pdf(sheet: Sheet, font: str) -> bytes:
    buffer = io.BytesIO()
    picture(sheet, font).save(buffer, "PDF", resolution=144, quality=50)
    return buffer.getvalue()
