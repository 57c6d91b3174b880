"""What steps cost on either side, as calibrated and measured, and where they go."""
