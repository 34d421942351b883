"""Text at places on a page, written as PDF, as an OFD page, or as a picture: one layout, several forms."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

CJK_FONT = "STSong-Light"
"""A CID font that PDF readers bring along: no font file is embedded."""


@dataclass(frozen=True)
class Text:
    """A text whose upper left corner stands at (x, y) points from the page's upper left corner."""

    x: float
    y: float
    text: str
    size: float = 9.0


@dataclass
class Sheet:
    """One page."""

    width: float = 595.0
    height: float = 397.0
    texts: list[Text] = field(default_factory=list)

    def put(self, x: float, y: float, text: str, size: float = 9.0) -> None:
        """Add a text."""
        self.texts.append(Text(x, y, text, size))

    def down(self, x: float, y: float, text: str, size: float = 9.0, step: float = 12.0) -> None:
        """Add a text written from top to bottom, one letter below the other."""
        for index, letter in enumerate(text):
            self.put(x, y + index * step, letter, size)

    def shuffled(self) -> "Sheet":
        """The same page with all labels stored before all values, as issuing programs do."""
        ordered = sorted(self.texts, key=lambda text: (not text.text.rstrip().endswith(("：", ":")), text.text))
        return replace(self, texts=ordered)


def pdf(sheets: Sequence[Sheet], *, font: str = CJK_FONT, rotation: int = 0, password: str = "") -> bytes:
    """The sheets as a PDF, the same bytes each time (a locked one differs in its salt)."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    if font == CJK_FONT:
        pdfmetrics.registerFont(UnicodeCIDFont(CJK_FONT))
    buffer = io.BytesIO()
    lock = StandardEncryption(password) if password else None
    first = sheets[0]
    canvas = Canvas(buffer, pagesize=(first.width, first.height), invariant=1, encrypt=lock)
    for sheet in sheets:
        width, height = (sheet.height, sheet.width) if rotation in {90, 270} else (sheet.width, sheet.height)
        canvas.setPageSize((width, height))
        if rotation:
            canvas.setPageRotation(rotation)
            canvas.translate(*{90: (width, 0), 180: (width, height), 270: (0, height)}[rotation])
            canvas.rotate(rotation)
        for text in sheet.texts:
            canvas.setFont(font, text.size)
            canvas.drawString(text.x, sheet.height - text.y - text.size * 0.86, text.text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def picture(sheet: Sheet, font_file: str, *, scale: float = 2.0, tilt: float = 0.0) -> "Image":
    """The sheet as a grey picture, set with a font file; `tilt` in degrees."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (int(sheet.width * scale), int(sheet.height * scale)), 255)
    draw = ImageDraw.Draw(image)
    fonts: dict[float, ImageFont.FreeTypeFont] = {}
    for text in sheet.texts:
        font = fonts.setdefault(text.size, ImageFont.truetype(font_file, int(text.size * scale)))
        draw.text((text.x * scale, text.y * scale), text.text, fill=0, font=font)
    return image.rotate(tilt, expand=True, fillcolor=255) if tilt else image


def encoded(image: "Image", form: str) -> bytes:
    """The picture's file: PNG with 16 greys, or JPEG."""
    buffer = io.BytesIO()
    save: Callable[..., None] = image.quantize(16).save if form == "PNG" else image.save
    save(buffer, form, **({"optimize": True} if form == "PNG" else {"quality": 60}))
    return buffer.getvalue()
