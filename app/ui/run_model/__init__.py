"""What the window knows of a run, and what follows from it, without widgets."""
