"""The text editor: surfaces, documents, marks, tabs."""
