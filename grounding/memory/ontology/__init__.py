"""What the predicates of a domain mean, and what it and the things of a world are called."""
