"""The pages, one router each."""
