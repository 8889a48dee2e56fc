"""ROS robots through rosbridge, without ROS here: its wire, a client that reconnects, TF, Nav2, move_base."""
