"""Base stations of missions that are killed at random moments, and what their robots did twice or lost."""
