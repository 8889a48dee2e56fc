"""Procedural worlds: what stands where, on what ground, and where a robot can drive."""
