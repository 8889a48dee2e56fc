"""Questions, answered with source and age, and what is asked back about a text."""
