"""The figure model: graphics objects, their properties and what the window is told of them."""
