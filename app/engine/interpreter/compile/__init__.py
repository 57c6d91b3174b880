"""From syntax trees to Python code objects."""
