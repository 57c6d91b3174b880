"""From wanted values to plans: scheduling, windows over large arrays, pieces, reuse in place."""
