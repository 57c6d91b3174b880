"""Outputs that a file stores, as results of its lines."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.engine.language.parser import parse
from app.engine.livecode.document import CodeBlock, LiveDocument
from app.engine.livecode.running import Result
from app.source import SourceText

IMAGE_DATA = re.compile(
    r"^data:image/(?:png|jpe?g|gif|bmp|webp);base64,[A-Za-z0-9+/=\s]+$", re.ASCII
)
"""A picture inside a text; nothing else is shown as one."""

Results = tuple[Result, ...]


def code_parts(
    block: CodeBlock, results: Sequence[Result]
) -> Iterator[tuple[str, Sequence[Result]]]:
    """A block of code cut where results belong: code, and what it gave.

    What a loop or another statement of several lines gave belongs behind all of it.
    """
    source = SourceText("", block.code)
    ends = {
        source.line_of(max(statement.span.start, statement.span.end - 1)) + block.first - 1
        for statement in parse(source).file.body
    }
    here = [result for result in results if block.first <= result.line <= block.last]
    lines, start, at = block.code.split("\n"), block.first, 0
    for line in sorted({*ends, block.last}):
        end = at
        while end < len(here) and here[end].line <= line:
            end += 1
        if end == at and line != block.last:
            continue
        part = "\n".join(lines[start - block.first : line - block.first + 1]).strip("\n")
        yield part if part.strip() else "", here[at:end]
        start, at = line + 1, end


def fewer_lines(results: Results, most: float) -> Results:
    """The results with at most so many lines of text each."""
    return tuple(
        result
        if result.kind == "figure" or result.text.count("\n") <= most
        else replace(result, text="\n".join(result.text.split("\n")[: int(most)]))
        for result in results
    )


def stored_results(document: LiveDocument) -> Results:
    """What the file says its lines gave when it was saved."""
    return tuple(
        replace(made, kept=output.data)
        for block in document.code_blocks
        for output in block.outputs
        for made in _results_of_data(output.line, output.data)
    )


def _results_of_data(line: int, data: Any) -> Iterator[Result]:
    held = data.get("outputData") if isinstance(data.get("outputData"), dict) else {}
    match data.get("dataType"):
        case "text":
            yield Result(line, "text", _text_without_tags(str(held.get("text", ""))))
        case "warning" | "error" as kind:
            yield Result(line, kind, _text_without_tags(str(held.get("text", ""))))
        case "image" if (picture := image_content(str(held.get("dataUri", "")))) is not None:
            yield Result(line, "figure", picture=picture)
        case "matrix" | "tabular":
            yield Result(line, "text", _matrix_text(held))
        case "textualVariable":
            header = f" {held['header']}\n" if held.get("header") else ""
            value = _text_without_tags(str(held.get("value", ""))).rstrip("\n")
            yield Result(line, "text", f"{held.get('name', '')} ={header} {value}\n")
        case "symbolic":
            yield Result(line, "text", f"{held.get('name', 'ans')} = {held.get('value', '')}\n")
        case kind if data:  # kept as it is, whatever it may be
            yield Result(line, "text", f"(a stored output of the kind {kind})\n")


_TAG = re.compile(r"</?(?:a|strong)(?: [^<>]*)?>")


def _text_without_tags(text: str) -> str:
    """A stored text without the tags of links and of heads that MATLAB prints."""
    return _TAG.sub("", text)


def image_content(address: str) -> bytes | None:
    """The content of a picture that a ``data:`` address holds; None where it holds none."""
    if not IMAGE_DATA.match(address):
        return None
    try:
        return base64.b64decode(address.partition(",")[2])
    except ValueError:
        return None


def _matrix_text(held: Any) -> str:
    value, names = held.get("value"), held.get("columnNames")
    cells = value if isinstance(value, list) else []
    rows = [[str(cell) for cell in row] for row in cells if isinstance(row, list)]
    if isinstance(names, list):
        rows.insert(0, list(map(str, names)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=False)]
    lines = ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=False)) for row in rows]
    power = str(held.get("exponent", ""))
    scale = f"  1.0e+{int(power):02d} *\n\n" if re.fullmatch(r"[0-9]{1,3}", power) else ""
    header = f" {held['header']}" if held.get("header") else ""
    return f"{held.get('name', 'ans')} ={header}\n{scale}" + "\n".join(lines) + "\n"
