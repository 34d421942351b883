"""Writers of made-up invoices in every form that the readers know; used by the examples and by tests."""
