"""The hand-written reader: clauses and noun phrases of a text → an utterance."""
