"""Elementary functions, written once in a small traced language."""
