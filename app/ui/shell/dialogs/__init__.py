"""Dialogs: few, and never while a script runs."""
