"""Matrices: factorisations, functions, sparse and famous ones."""
