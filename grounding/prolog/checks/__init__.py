"""What is wrong with a knowledge base, found in its text and by trial runs."""
