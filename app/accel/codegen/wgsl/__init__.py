"""WGSL for maps, reductions, scans, products and loops."""
