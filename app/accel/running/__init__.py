"""Running plans: executing, residency, opening and losing the device, counting."""
