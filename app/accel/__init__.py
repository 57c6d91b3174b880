"""Device arrays: typed ops, graph, fusion, kernels, placement and residency."""
