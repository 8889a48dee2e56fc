"""Reports and tasks read by what the domain itself says: its types, its predicates and its actions."""
