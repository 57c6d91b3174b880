"""Operators and functions of numbers, element by element."""
