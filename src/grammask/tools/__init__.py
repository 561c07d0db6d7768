"""What people run: the command line, and the benchmark. Nothing below imports this room."""
