"""NumPy and LAPACK routines that host code is made of."""
