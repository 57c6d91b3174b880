"""The commands of the window, grouped as its menus are."""
