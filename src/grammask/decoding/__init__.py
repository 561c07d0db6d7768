"""decoding room."""
