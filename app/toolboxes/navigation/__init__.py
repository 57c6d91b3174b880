"""Rotations, positions on the globe and their files."""
