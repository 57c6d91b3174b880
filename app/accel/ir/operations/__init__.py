"""Elementwise operations, one record each beside its definition; `ir.ops` has them all."""
