"""Tracking: odometry corrected by registering depth and color to images from a little earlier."""
