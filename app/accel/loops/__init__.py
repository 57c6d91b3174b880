"""Loops as one node: traced, cut into levels, run by rows."""
