"""The finished plan: its file, picture, explanation, behavior tree, and as a mission."""
