"""What lines printed, in the typed forms in which live scripts store displayed values.

A displayed variable is ``x =``, a blank line, for most classes a header such as ``1×2 int32 row
vector``, perhaps a common factor, and its rows; what has another form stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

Stored: TypeAlias = Mapping[str, object]

_SHOWN = re.compile(
    r"(?P<name>[A-Za-z]\w*) =\n\n"
    r"(?:  (?P<header>\S[^\n]*)\n\n)?"
    r"(?:[ ]+1\.0e(?P<exponent>[+-]\d+) \*\n\n)?"
    r"(?P<body>(?:[ ]+\S[^\n]*\n)+)\n"
)
_NUMBER = re.compile(r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|Inf|NaN)")
_CLASSES = (
    "double",
    "single",
    "logical",
    *(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)),
)


def stored_forms(text: str) -> Iterator[Stored]:
    """The outputs that a printed text is stored as, in order."""
    place = 0
    for found in _SHOWN.finditer(text):
        if found.start() != place and text[found.start() - 1] != "\n":
            continue
        if found.start() > place:
            yield _text(text[place : found.start()])
        place = found.end()
        yield _variable(found)
    if place < len(text):
        yield _text(text[place:])


def compact(text: str) -> str:
    """A printed text without the blank lines of displayed variables: one line where that fits."""

    def shown(found: re.Match[str]) -> str:
        head = f"{found['name']} ="
        if found["header"]:
            head += f" {found['header']}"
        body = found["body"]
        if found["exponent"]:
            return f"{head}\n   1.0e{found['exponent']} *\n{body}"
        return f"{head}\n{body}" if body.count("\n") > 1 else f"{head} {body.strip()}\n"

    return _SHOWN.sub(shown, text).strip("\n")


def _text(text: str) -> Stored:
    return {"dataType": "text", "outputData": {"text": text, "truncated": False}}


def _variable(found: re.Match[str]) -> Stored:
    rows = [line.split() for line in found["body"].rstrip("\n").split("\n")]
    data: dict[str, object] = {"name": found["name"]}
    if found["header"]:
        data["header"] = found["header"]
    is_matrix = len({len(row) for row in rows}) == 1 and all(
        _NUMBER.fullmatch(cell) for row in rows for cell in row
    )
    if not is_matrix or len(rows) == len(rows[0]) == 1:
        if len(rows) > 1:
            return _text(found[0])
        data["value"] = found["body"].strip()
        return {"dataType": "textualVariable", "outputData": data}
    words = (found["header"] or "double").split()
    data |= {
        "columns": len(rows[0]),
        "rows": len(rows),
        "type": next((word for word in words if word in _CLASSES), "double"),
        "value": rows,
    }
    if found["exponent"]:
        data["exponent"] = str(int(found["exponent"]))
    return {"dataType": "matrix", "outputData": data}
