"""The runtime: capture, evaluation, execution, counters, timeline."""
