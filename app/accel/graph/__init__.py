"""The graph: nodes, ops, their types and shapes, and what is simplified as it grows."""
