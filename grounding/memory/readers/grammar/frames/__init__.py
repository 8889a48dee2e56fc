"""Frames: what clauses say has happened, by verb classes and the types of what stands in which role."""
