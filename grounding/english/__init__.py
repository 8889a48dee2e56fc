"""English read into utterances: clauses, roles and phrases whose words are spans of the text."""
