"""Outputs that a file stores, as results of its lines."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.running import Result

IMAGE_DATA = re.compile(r"^data:image/(?:png|jpe?g|gif|bmp|webp);base64,[A-Za-z0-9+/=\s]+$")
"""A picture inside a text; nothing else is shown as one."""

Results = tuple[Result, ...]


def results_by_line(results: Results) -> dict[int, list[Result]]:
    """The results of each line, in their order."""
    found: dict[int, list[Result]] = {}
    for result in results:
        found.setdefault(result.line, []).append(result)
    return found


def stored_results(document: LiveDocument) -> Results:
    """What the file says its lines gave when it was saved."""
    return tuple(
        replace(made, kept=output.data)
        for block in document.code_blocks
        for output in block.outputs
        for made in _stored(output.line, output.data)
    )


def _stored(line: int, data: Any) -> Iterator[Result]:
    held = data.get("outputData") if isinstance(data.get("outputData"), dict) else {}
    match data.get("dataType"):
        case "text":
            yield Result(line, "text", str(held.get("text", "")))
        case "warning" | "error" as kind:
            yield Result(line, kind, str(held.get("text", "")))
        case "image" if IMAGE_DATA.match(str(held.get("dataUri", ""))):
            content = str(held["dataUri"]).partition(",")[2]
            yield Result(line, "figure", picture=base64.b64decode(content))
        case "matrix" | "tabular":
            yield Result(line, "text", _matrix_text(held))
        case "textualVariable":
            header = f" {held['header']}\n" if held.get("header") else ""
            yield Result(
                line, "text", f"{held.get('name', '')} ={header} {held.get('value', '')}\n"
            )
        case str(kind):  # kept as it is, whatever it may be
            yield Result(line, "text", f"(a stored output of the kind {kind})\n")


def _matrix_text(held: Any) -> str:
    rows = [[str(cell) for cell in row] for row in held.get("value", [])]
    if held.get("columnNames"):
        rows.insert(0, list(map(str, held["columnNames"])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=False)]
    lines = ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=False)) for row in rows]
    scale = f"  1.0e+{int(held['exponent']):02d} *\n\n" if held.get("exponent") else ""
    header = f" {held['header']}" if held.get("header") else ""
    return f"{held.get('name', 'ans')} ={header}\n{scale}" + "\n".join(lines) + "\n"
