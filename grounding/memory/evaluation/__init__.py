"""Episodes of reports, sensor readings and tasks with their truth, replayed and measured."""
