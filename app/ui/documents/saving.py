"""Writing what lines gave into the file, and taking it out again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.running import Result, with_results
from app.ui.documents.document_view import DocumentView
from app.ui.documents.runs import Output
from app.ui.editor.control_places import live_text
from app.ui.editor.text_changes import change_to, one_step

SCREEN_DPI, PRINT_DPI = 144, 288
"""How dense pictures of live figures are in files and on paper."""


def results_of(page: DocumentView, dpi: int = SCREEN_DPI) -> tuple[Result, ...]:
    """What a document shows, with live figures as pictures."""
    return tuple(_result(output, dpi) for output in page.runs.outputs)


def store_outputs(page: DocumentView) -> None:
    """Put the outputs that a document shows into its text, as one step to undo."""
    _replace(page, with_results(LiveDocument(live_text(page.editor)), results_of(page)))


def remove_outputs(page: DocumentView) -> None:
    """Take the outputs out of the text, and off the page."""
    _replace(page, LiveDocument(live_text(page.editor)).without_outputs())
    page.runs.forget()


def _replace(page: DocumentView, changed: LiveDocument) -> None:
    with one_step(page.editor), page.runs.keeping_fresh():
        change_to(page.editor, changed.text)
    page.read_text()


def _result(output: Output, dpi: int) -> Result:
    if output.figure is None:
        return Result(output.line, output.kind, output.text, output.picture, output.kept)
    from app.ui.plots.figure_export import save_model

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figure.png")
        save_model(output.figure, path, dpi=dpi)
        return Result(output.line, "figure", picture=path.read_bytes())
