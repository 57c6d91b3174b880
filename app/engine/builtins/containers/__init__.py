"""Cells, structs, maps, categoricals, tables."""
