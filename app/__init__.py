"""Fuselab: a desktop IDE that runs MATLAB-syntax scripts fused and placed on the GPU."""

__version__ = "0.1.0"
