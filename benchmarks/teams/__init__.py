"""What benchmarks/team.py is made of: random teams by kind, and a checker of its own."""
