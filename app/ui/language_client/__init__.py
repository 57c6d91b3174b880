"""Asks the language service in a thread of its own."""
