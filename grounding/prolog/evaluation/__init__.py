"""How well assembly plans: given cases, and blocks worlds of growing size."""
