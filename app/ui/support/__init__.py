"""What every part of the window uses: theme, icons, number formats, the bridge to the engine."""
