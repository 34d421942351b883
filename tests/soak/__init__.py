"""Long reliability runs: kills by the thousand, power cuts, years. A few rounds of each run with all other tests."""
