"""Fitting curves and surfaces to data."""
