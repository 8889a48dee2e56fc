"""Where the robot really is: odometry corrected by depth and color as the robot drives."""
