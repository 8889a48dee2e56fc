"""Hostile files and words through the real commands; see __main__."""
