"""The schema's history: one revision a change, applied in order by `upgrade`."""
