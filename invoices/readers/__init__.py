"""Readers, one form a file: each says by content whether a document is its own, and reads it. Never a guess."""

from invoices.readers.table import READERS, Reader, read

__all__ = ["READERS", "Reader", "read"]
