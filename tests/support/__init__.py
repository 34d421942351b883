"""What tests and benchmarks share: sample papers, an office in a folder, processes that can be killed."""
