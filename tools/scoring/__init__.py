"""How good a map is against what a simulator truly showed; benchmarks and tests ask it."""
