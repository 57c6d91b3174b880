"""Functions about code: errors, evaluation, handles, objects, validation."""
