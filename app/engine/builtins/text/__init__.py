"""Characters, strings, formats, regular expressions."""
