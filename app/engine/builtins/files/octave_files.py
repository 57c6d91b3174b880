"""Files that Octave's ``save`` writes in its own forms: text, binary, either compressed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

from app import paths
from app.engine.builtins.files.octave_values import refusal
from app.engine.values import Value

_BINARY = (b"Octave-1-L", b"Octave-1-B")
_GZIP = b"\x1f\x8b"


def is_octave_file(head: bytes) -> bool:
    """Whether a file that begins so is one of Octave's own, or is compressed as these may be."""
    return head.startswith((*_BINARY, _GZIP)) or _is_text(head)


def _is_text(head: bytes) -> bool:
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    marks = [line.lstrip(b"#% ") for line in lines if line[:1] in b"#%"]
    named = next((k for k, m in enumerate(marks) if m.startswith(b"name:")), None)
    return (
        named is not None
        and marks[named + 1 : named + 2] != []
        and (marks[named + 1].startswith(b"type:"))
    )


def read_octave_file(path: Path, names: Callable[[str], bool]) -> dict[str, Value]:
    """The variables of a file whose names ``names`` accepts."""
    data, what = paths.content(path), f"Octave file {path}"
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as problem:
            raise refusal(what, f"it is damaged: {problem}") from problem
    if data.startswith(_BINARY):
        from app.engine.builtins.files import octave_binary

        return octave_binary.read_octave_binary(data, what, names)
    if not _is_text(data[:4096]):
        raise refusal(what, "it is compressed, but no file of Octave")
    from app.engine.builtins.files import octave_text

    return octave_text.read_octave_text(data, what, names)
