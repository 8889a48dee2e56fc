"""What holds of all plans: that there is none, how short they can be, and a shortest one."""
