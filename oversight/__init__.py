"""When to ask a person, what to ask, and what an answer means. Knows no graph, no memory and no invoice."""
