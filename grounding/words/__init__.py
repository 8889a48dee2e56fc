"""Lexical knowledge: number of nouns, what everyday things have in common, misspellings."""
