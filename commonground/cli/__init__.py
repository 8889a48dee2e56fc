"""The command line. Only this package and ``console`` import every part."""
