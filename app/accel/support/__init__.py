"""What every layer above the graph uses: options, telemetry, disk cache, background work."""
