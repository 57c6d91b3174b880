"""The panels around the editor; each is imported when it is first shown."""
