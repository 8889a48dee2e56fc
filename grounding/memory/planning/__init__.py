"""Tasks: the part of the graph that a goal needs, a plan checked on all of it, and carrying that out."""
