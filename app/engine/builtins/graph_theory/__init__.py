"""Graphs of nodes and edges: making, changing, asking, searching and drawing them."""
