"""Readers of reports and tasks: by grammar, trained, both weighed, by the words of a domain, by a model."""
