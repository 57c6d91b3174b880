"""Classes and objects of the language."""
