"""Pools, futures, queues, spmd: what scripts ask of parallel work."""
