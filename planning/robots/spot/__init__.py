"""Spot by its own API: what a session holds of the robot, what it is told, and what it tells."""
