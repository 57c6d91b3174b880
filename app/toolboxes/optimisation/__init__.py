"""Minima with constraints, of least squares and over many places."""
