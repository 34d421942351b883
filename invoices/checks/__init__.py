"""The rules. Each is a function and an entry in its module's table; `examine` runs all of them over one invoice."""

from invoices.checks.table import CHECKS, RULES_VERSION, check, examine

__all__ = ["CHECKS", "RULES_VERSION", "check", "examine"]
