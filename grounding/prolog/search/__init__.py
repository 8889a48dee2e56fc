"""The search for a high-level plan, and which goals cannot be had together or have to come first."""
