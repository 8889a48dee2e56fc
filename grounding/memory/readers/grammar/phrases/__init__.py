"""Noun phrases of a world: what one says to mean its things."""
