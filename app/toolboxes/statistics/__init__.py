"""Distributions, tests, regression, clusters and sampling."""
