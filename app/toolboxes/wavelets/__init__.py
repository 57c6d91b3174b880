"""Wavelet transforms of signals and pictures."""
