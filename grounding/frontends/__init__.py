"""Front ends: an instruction in, goals or a question out, with or without a language model."""
