"""Readers of recorded data, one module a format, all yielding the same frames."""
