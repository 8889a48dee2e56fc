"""Robots that drive through a world, and what their cameras and odometry say."""
