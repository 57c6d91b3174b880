"""The host backend: NumPy in blocks over threads, then machine code."""
