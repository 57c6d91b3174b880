"""What arguments may be: classes, sizes, dimensions; what a builtin is called with."""
