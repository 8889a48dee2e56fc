"""Where the robot really is: odometry corrected by depth and colour as the robot drives."""
