"""Knowledge bases written by a language model, and checked."""
