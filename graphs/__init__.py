"""The graphs: wiring only, one file each."""
