"""Matrices in text files, for load and save."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from app import paths
from app.engine.values import (
    Value,
    as_array,
    canonical,
    is_numeric_like,
)
from app.errors import MatlabError


def read_matrix(path: Path) -> Value:
    """The matrix in a text file of numbers; ``%`` and ``#`` begin comments."""
    rows: list[list[float]] = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        words = re.split(r"[\s,;]+", re.split("[%#]", line)[0].strip())
        if words == [""]:
            continue
        try:
            rows.append([float(w.replace("D", "e").replace("d", "e")) for w in words if w])
        except ValueError:
            text = f'Unknown text on line number {number} of ASCII file {path}\n"{words[0]}".'
            raise MatlabError("MATLAB:load:unableToReadTextFile", text) from None
        if len(rows[-1]) != len(rows[0]):
            text = (
                f"Number of columns on line {number} of ASCII file {path} must be the same as "
                "previous lines."
            )
            raise MatlabError("MATLAB:load:numColumnsNotSame", text)
    return canonical(np.array(rows, dtype=np.float64)) if rows else np.zeros((0, 0))


def write_matrices(path: Path, variables: dict[str, Value], flags: set[str]) -> None:
    """Every variable's rows, in %16.7e (or %25.16e) form."""
    template = "%25.16e" if "-double" in flags else "%16.7e"
    between = "\t" if "-tabs" in flags else ""
    lines = []
    for name, v in variables.items():
        if not is_numeric_like(v):
            text = f"Attempt to write an unsupported data type to an ASCII file: '{name}'."
            raise MatlabError("MATLAB:save:asciiUnsupported", text)
        a = np.asarray(as_array(v)).real.astype(np.float64)
        rows = a.reshape(a.shape[0], -1, order="F").tolist()
        lines += [between.join(template % x for x in row) for row in rows]
    put = paths.put_at_end if "-append" in flags else paths.put_whole
    put(path, "".join(line + "\n" for line in lines).encode())
