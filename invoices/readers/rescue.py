"""The last resort for a page that no reader knows: a model reads it, when one is configured."""

from collections.abc import Iterator
from dataclasses import dataclass

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers.model_reader import ModelReader
from invoices.readers.pdf_file import opened
from invoices.record import Invoice

_WORTH_A_MODEL = frozenset({"unknown_form"})
"""Reasons with which a page has text that nobody could make sense of; a locked or broken file stays as it is."""


@dataclass(frozen=True)
class Rescue:
    """Reads with a model what the readers gave up on; what a model read always waits for a person."""

    model: ModelReader

    def read(self, document: Document, error: UnreadableError) -> Iterator[Invoice]:
        """The invoice, or the readers' own error where a model can't help.

        Raises:
            UnreadableError: the file has no page text, or the model found nothing that stands on it.
        """
        if error.reason not in _WORTH_A_MODEL or not document.looks_like_pdf:
            raise error
        with opened(document.content, document.name) as file:
            pages = file.pages()
        yield self.model.read(pages, document.name)
