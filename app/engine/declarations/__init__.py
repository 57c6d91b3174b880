"""Declarations of builtins: registry, index, device forms, errors for wrong arguments."""
