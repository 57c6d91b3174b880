"""Order, placement, memory reuse and caching of the steps of an evaluation."""
