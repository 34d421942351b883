"""Reading, checking and booking invoices. Knows no graph and no memory."""
