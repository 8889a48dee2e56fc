"""What utterances mean to a household memory: phrases → things, senses → events, goals and answers."""
