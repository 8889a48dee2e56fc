"""Wishes to a household team: what an utterance asks of a house, and what of that is asked about."""
