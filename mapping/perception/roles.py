"""What a patch of a depth image is, unless it is part of a thing."""

from __future__ import annotations

GROUND, WALL = 0, 1
"""Indices into the surface words."""
TOP = 2
"""What carries things, a table or a counter: no thing, and no surface that has a word."""
