"""The small form that every front end produces, and what is done with it before the kernel: checks and lowering."""
