"""Where the conformance transcripts lie: ``TOPIC/NAME.m`` and what it prints, ``TOPIC/NAME.out``."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "conformance"
SUPPORT = FOLDER / "support"
"""Classes, packages and functions that transcripts use; those add the folder to their path."""


def transcripts(pattern: str = "*") -> list[Path]:
    """The scripts of all topics whose ``TOPIC/NAME`` matches a pattern, in order of their names."""
    found = FOLDER.rglob("*.m")
    return sorted(
        path
        for path in found
        if SUPPORT not in path.parents and Path(transcript_name(path)).match(pattern)
    )


def transcript_name(path: Path) -> str:
    """``TOPIC/NAME`` of a script."""
    return path.relative_to(FOLDER).with_suffix("").as_posix()
