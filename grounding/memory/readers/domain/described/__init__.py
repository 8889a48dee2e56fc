"""What is described instead of named: noun phrases by what is believed, and clauses of what they mean."""
