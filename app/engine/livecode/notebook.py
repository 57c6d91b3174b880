"""Live documents as Jupyter notebooks, and back."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

from app.engine.livecode.document import CodeBlock, LiveDocument, SectionBreak
from app.engine.livecode.markdown_text import markdown_block
from app.engine.livecode.markup import escape_latex
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import Results, code_parts


def to_notebook(document: LiveDocument, results: Results) -> str:
    """A Jupyter notebook (nbformat 4) for a kernel of MATLAB code."""
    ordered = sorted(results, key=lambda result: result.line)
    cells: list[dict[str, Any]] = []
    text: list[str] = []

    def end_text() -> None:
        if text:
            cells.append(_cell(len(cells), "markdown", "\n\n".join(text)))
            text.clear()

    for block in document.blocks:
        if isinstance(block, CodeBlock):
            end_text()
            for code, made in code_parts(block, ordered):
                if code or made:
                    cell = _cell(len(cells), "code", code)
                    outputs = list(map(_notebook_output, made))
                    cells.append({**cell, "execution_count": None, "outputs": outputs})
        elif isinstance(block, SectionBreak):
            end_text()
        else:
            text.append(markdown_block(block, document, ordered))
    end_text()
    spec = {"display_name": "Fuselab", "language": "matlab", "name": "fuselab"}
    book = {
        "cells": cells,
        "metadata": {"kernelspec": spec, "language_info": {"name": "matlab"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    return {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": source}


def _notebook_output(result: Result) -> dict[str, Any]:
    match result.kind:
        case "figure":
            content = base64.b64encode(result.picture).decode("ascii")
            data = {"image/png": content, "text/plain": "<Figure>"}
            return {"output_type": "display_data", "data": data, "metadata": {}}
        case "error":
            told = {"ename": "error", "evalue": result.text, "traceback": [result.text]}
            return {"output_type": "error", **told}
        case _:
            stream = "stdout" if result.kind == "text" else "stderr"
            return {"output_type": "stream", "name": stream, "text": result.text}


# --- reading -------------------------------------------------------------------------------------

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_RULE = re.compile(r"^ {0,3}([-_*])(?: *\1){2,} *$")
_BREAK = re.compile(r"<br ?/?>")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d+)\.)\s+(.*)$")


def from_notebook(text: str) -> str:
    """A notebook's cells as a live document; its stored outputs stay behind.

    Raises:
        ValueError: it is no notebook of version 4, or its code is of another language.
    """
    book = json.loads(text)
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list) or book.get("nbformat") != 4:
        raise ValueError("this is not a Jupyter notebook of version 4")
    if (language := _language(book)) not in ("", "matlab", "octave"):
        raise ValueError(f"this notebook's code is {language}, not MATLAB or Octave")
    lines: list[str] = []
    after_code = False
    for cell in filter(lambda cell: isinstance(cell, dict), cells):
        held = cell.get("source", "")
        source = "".join(map(str, held)) if isinstance(held, list) else str(held)
        if after_code:
            lines.append("%%")
        after_code = cell.get("cell_type") == "code"
        lines += source.rstrip("\n").split("\n") if after_code else text_lines(source)
    return "\n".join(lines) + "\n\n%[appendix]" + '{"version":"1.0"}\n%---\n'


def _language(book: Mapping[str, object]) -> str:
    """The language of a notebook's code in small letters; empty where it does not say."""
    about = book.get("metadata")
    for place, key in (("kernelspec", "language"), ("language_info", "name")):
        held = about.get(place) if isinstance(about, dict) else None
        if isinstance(held, dict) and held.get(key):
            return str(held[key]).lower()
    return ""


def text_lines(markdown: str) -> list[str]:
    """Markdown as ``%[text]`` lines: one paragraph a line, lists ended by a backslash."""
    lines: list[str] = []
    paragraph: list[str] = []
    in_code = in_table = False

    def end_paragraph() -> None:
        if paragraph:
            lines.append("%[text] " + _with_latex(" ".join(paragraph)))
            paragraph.clear()

    source = _BREAK.sub("", markdown).split("\n")
    for number, line in enumerate(source):
        is_row = line.strip().startswith("|") and not in_code
        if in_table and not is_row:
            lines.append("%[text:table]")
            in_table = False
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if line.startswith("```") or in_code:
            end_paragraph()
            in_code = in_code != line.startswith("```")
            lines.append(f"%[text] {line}")
        elif is_row:
            end_paragraph()
            if not in_table:
                lines.append("%[text:table]")
                in_table = True
            lines.append(f"%[text] {_with_latex(line.strip())}")
        elif heading:
            end_paragraph()
            lines.append(f"%[text] {heading[1][:4]} {_with_latex(heading[2])}")
        elif item:
            end_paragraph()
            following = source[number + 1] if number + 1 < len(source) else ""
            last = "" if _ITEM.match(following) else " \\"
            mark = f"{item[2]}." if item[2] else "-"
            lines.append(f"%[text] {item[1]}{mark} {_with_latex(item[3])}{last}")
        elif line.strip() and not _RULE.match(line):
            paragraph.append(line.strip())
        else:
            end_paragraph()
    end_paragraph()
    if in_table:
        lines.append("%[text:table]")
    return lines


def _with_latex(text: str) -> str:
    """A line whose formulas are written as the format wants them."""
    pieces = re.split(r"(?<!\\)(\$\$?[^$]+\$\$?)", text)
    return "".join(
        f"$ {escape_latex(piece.strip('$').strip())} $" if piece.startswith("$") else piece
        for piece in pieces
    )
