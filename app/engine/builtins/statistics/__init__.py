"""Reductions, statistics, distributions."""
