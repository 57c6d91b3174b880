"""How large a text may be before the editor stops understanding it and only shows it."""

from __future__ import annotations

LARGE_TEXT = 2_000_000
"""Characters; a larger text has no colours, folds, sections, remarks or history of changes."""
PIECE = 4_000_000
"""Characters of a large text that are put in at once."""


def is_large(text: str) -> bool:
    """Whether a text is only shown and edited, and nothing in it is looked for while typing."""
    return len(text) > LARGE_TEXT
