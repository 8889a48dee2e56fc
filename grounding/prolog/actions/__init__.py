"""Actions as planning sees them: lifted, made ground for a goal, and as a PDDL task."""
