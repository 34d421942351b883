"""The report of a batch: gathered once, written as HTML, XLSX, JSON or CSV."""

from remembrancer.reports.data import BatchReport, gather
from remembrancer.reports.formats import FORMATS, render

__all__ = ["FORMATS", "BatchReport", "gather", "render"]
