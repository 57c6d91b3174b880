"""Files of all kinds, folders, the web."""
