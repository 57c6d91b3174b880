"""Documents as files of other kinds."""

from __future__ import annotations

from pathlib import Path

from app import paths
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.document_kinds import KINDS
from app.engine.livecode.stored_results import Results, stored_results
from app.errors import UsageError


def write_document(document: LiveDocument, made: Results | None, target: Path, name: str) -> None:
    """Write a document with these results; the target's ending says which kind.

    Args:
        document: what is written.
        made: what its lines gave; None for what the file stores.
        target: the file; pictures of LaTeX go beside it.
        name: the title of a document without one.

    Raises:
        UsageError: there is no such kind, or the file cannot be written.
    """
    results = stored_results(document) if made is None else made
    match target.suffix.lower():
        case ".pdf":
            from app.engine.livecode.pdf_process import write_pdf

            write_pdf(document, results, target, name)
            return
        case ".html":
            from app.engine.livecode.html_page import to_html

            text = to_html(document, results, name)
        case ".md":
            from app.engine.livecode.markdown_text import to_markdown

            text = to_markdown(document, results)
        case ".ipynb":
            from app.engine.livecode.notebook import to_notebook

            text = to_notebook(document, results)
        case ".tex":
            from app.engine.livecode.latex_text import to_latex

            text, pictures = to_latex(document, results, target.stem)
            for picture, content in pictures.items():
                paths.put_whole(target.parent / picture, content)
        case ".m":
            from app.engine.livecode.running import with_results

            text = document.text if made is None else with_results(document, made).text
        case kind:
            raise UsageError(f"documents are written as {', '.join(KINDS)}, not as '{kind}'")
    paths.put_whole(target, text.encode(errors="replace"))
