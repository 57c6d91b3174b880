"""Loops that become one kernel: traced with placeholders."""
