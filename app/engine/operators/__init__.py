"""Operators and what they are made of: arithmetic, concatenation, ranges, shapes."""
