"""Long-term memory: keeps what a person really said, knows what is current, explains itself, forgets for good.

Knows no graph, no reviewer and no invoice.
"""
