"""Code with its colours for paper: HTML, PDF, printers; always in the light theme."""

from __future__ import annotations

from html import escape
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.ui.editor.code_editor import CodeEditor
from app.ui.support.fonts import CodeFont
from app.ui.support.theme import load_theme

POINTS = 9
MARGIN_MM = 15.0
FILTERS = "PDF (*.pdf);;HTML (*.html)"


def html_of(editor: CodeEditor) -> str:
    """The whole text as a page, with line numbers and colours."""
    colours = load_theme("light").syntax
    editor.colourise(0, -1)
    numbered = enumerate(_lines(editor, dict(colours)), 1)
    width = len(str(editor.lineCount()))
    faint = colours["comment"]
    rows = [f'<span style="color:{faint}">{n:>{width}}</span>  {line}' for n, line in numbered]
    family = f"'{CodeFont.family}', monospace"
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(editor.name)}</title>'
        f'</head><body><pre style="font-family:{family}; font-size:{POINTS}pt; '
        f'color:{colours["default"]}">' + "\n".join(rows) + "</pre></body></html>\n"
    )


def _lines(editor: CodeEditor, colours: dict[str, str]) -> list[str]:
    data = editor.text().encode()
    styles = [editor.styleAt(place) for place in range(len(data))]
    made = []
    for line, start in enumerate(_starts(data)):
        end = editor.lineEndPosition(line)
        parts = []
        for style, places in groupby(range(start, end), key=lambda place: styles[place]):
            found = list(places)
            text = escape(data[found[0] : found[-1] + 1].decode())
            colour = colours.get(editor.language.styles.get(style, "default"), "")
            parts.append(f'<span style="color:{colour}">{text}</span>' if colour else text)
        made.append("".join(parts))
    return made


def _starts(data: bytes) -> list[int]:
    starts = [0]
    while (place := data.find(b"\n", starts[-1])) >= 0:
        starts.append(place + 1)
    return starts


def save(editor: CodeEditor, path: Path) -> None:
    """Write a PDF or, for every other ending, an HTML file."""
    if path.suffix.lower() != ".pdf":
        path.write_text(html_of(editor), encoding="utf-8")
        return
    writer = QPdfWriter(str(path))
    writer.setTitle(editor.name)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM),
            QPageLayout.Unit.Millimeter,
        )
    )
    put_on_paper(editor, writer)


def put_on_paper(editor: CodeEditor, paper: QPagedPaintDevice) -> None:
    """Paint the text, page after page."""
    document = QTextDocument()
    document.setHtml(html_of(editor))
    document.print_(paper)
