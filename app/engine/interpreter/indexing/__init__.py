"""Reading and writing parts of values."""
