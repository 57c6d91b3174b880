"""From graph to groups: which nodes are stored, which groups compute them, and the kernels."""
