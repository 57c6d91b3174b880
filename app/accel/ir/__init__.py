"""The typed graph: data types, operations, nodes, shapes, value ranges, kernel requests."""
