"""A knowledge base: its text, read and loaded in a sandbox, as data, and written again."""
