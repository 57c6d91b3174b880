"""Filters and their design, spectra, windows and measures of signals."""
