"""Whether a reading may be believed: the ways to read a text weighed, and held against its words."""
