"""Files that are live scripts, whatever format holds them."""

from __future__ import annotations

from pathlib import Path

from app import textfile
from app.errors import MatlabError, UsageError
from app.textfile import TextFile

CONVERTED = (".mlx", ".ipynb")
"""Endings of files that are read into the plain-text form; saving writes that form."""


def is_converted(path: Path) -> bool:
    """Whether a file is read into the plain-text form, so that its own text is another."""
    return path.suffix.lower() in CONVERTED


def read_script(path: Path) -> TextFile:
    """A script's text: that of a ``.m`` file, or the live script that an ``.mlx`` file or a
    notebook of MATLAB or Octave code holds.

    Raises:
        UsageError: it holds none; the message says why.
        OSError: it cannot be read.
    """
    if not is_converted(path):
        return textfile.read(path)
    try:
        if path.suffix.lower() == ".mlx":
            from app.engine.livecode.mlx import read_mlx

            return TextFile(read_mlx(path), "utf-8", "\n")
        from app.engine.livecode.notebook import from_notebook

        return TextFile(from_notebook(textfile.read(path).text), "utf-8", "\n")
    except RecursionError:
        raise UsageError(f"{path.name}: its parts are nested too deeply to be read") from None
    except ValueError as problem:
        raise UsageError(f"{path.name}: {problem}") from None


def read_code(path: Path) -> TextFile:
    """The text of a file whose code is called: its function or its script.

    Raises:
        MatlabError: it holds none; the message says why.
    """
    try:
        return read_script(path)
    except UsageError as problem:
        raise MatlabError("MATLAB:invalidLiveScript", f"Unable to run {problem}") from problem
