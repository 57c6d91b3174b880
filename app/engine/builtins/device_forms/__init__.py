"""Device forms composed of the graph's operations, written as formulas of terms."""
