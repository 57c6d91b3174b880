"""The window: docks, layouts, commands, dialogs, status, stored sessions."""
