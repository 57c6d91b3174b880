"""Making, shaping, ordering and asking arrays."""
