"""A total order executed in Prolog: refined by mappings, with the order its steps need, and with agents."""
