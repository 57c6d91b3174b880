"""Layers drawn by the device that holds the data."""
