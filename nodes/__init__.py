"""What happens at one step: one stage a file, a verb."""
