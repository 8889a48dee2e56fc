"""Data that comes with the program."""
