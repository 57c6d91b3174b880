"""What control characters do to printed text where no terminal does it."""

from __future__ import annotations

BACKSPACE = "\b"
BELL = "\a"


def rubbed_out(text: str) -> tuple[str, int]:
    """A text without its backspaces and what they take away, and how many reach before it.

    A line end is a character as any other; a bell leaves no sign.
    """
    text = text.replace(BELL, "")
    if BACKSPACE not in text:
        return text, 0
    first, *others = text.split(BACKSPACE)
    kept, before = list(first), 0
    for piece in others:
        if kept:
            kept.pop()
        else:
            before += 1
        kept.extend(piece)
    return "".join(kept), before
