"""The English of reports and requests: words, noun phrases and clauses, without any model."""
