"""What a text was understood to say, as values: events, goals, open choices, and the facts that follow."""
