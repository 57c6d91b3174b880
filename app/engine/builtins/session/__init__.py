"""The session: device, workspace, display, help, breakpoints."""
