"""The language model as a front end: prompts from the domain, the rules and the retrieved facts."""
