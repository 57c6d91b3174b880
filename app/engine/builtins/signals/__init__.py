"""Fourier transforms, filters, spectra, sound."""
