"""A document with what it shows as a file for people without Fuselab."""

from __future__ import annotations

from pathlib import Path

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.document_export import write_document
from app.ui.documents.document_view import DocumentView
from app.ui.documents.saving import PRINT_DPI, results_of
from app.ui.editor.control_places import live_text

FILTERS = (
    "PDF document (*.pdf);;Web page (*.html);;Markdown (*.md);;LaTeX (*.tex);;Notebook (*.ipynb)"
)


def write(page: DocumentView, path: Path) -> None:
    """Write a page to a file; its ending says which kind.

    Raises:
        UsageError: documents are not written as such files, or this one cannot be written.
        OSError: the disk refuses.
    """
    document, name = LiveDocument(live_text(page.editor)), Path(page.editor.name).stem
    if path.suffix.lower() == ".pdf":
        from app.ui.documents.pdf import write_pdf

        write_pdf(document, results_of(page, PRINT_DPI), path, name)
    else:
        write_document(document, results_of(page), path, name)
