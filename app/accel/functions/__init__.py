"""Elementary functions: one definition each, for the host and for shaders in single and double."""
