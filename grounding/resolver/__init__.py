"""References are looked up on the scene graph; tasks become goals."""
