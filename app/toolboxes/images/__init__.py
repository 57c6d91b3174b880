"""Filtering, morphology, regions, warps and measures of images."""
