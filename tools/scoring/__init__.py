"""What maps, plans and methods are held against; benchmarks and tests ask it."""
