"""Which part of the graph a report or task is about: none, entity list, search, or slice."""
