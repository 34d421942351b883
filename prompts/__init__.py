"""Every prompt, a Markdown file each, loaded by name."""
