"""PDF files of documents, written by a process that may load Qt and needs no display."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

from app import helpers, restricted
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.stored_results import Results
from app.errors import UsageError

WRITER = "app.ui.documents.pdf_file"
TIMEOUT_S = 300.0


def write_pdf(document: LiveDocument, results: Results, path: Path, name: str) -> None:
    """Write a document with these results to a PDF file.

    Raises:
        UsageError: it cannot be written; the message says why.
    """
    restricted.check_writing(path)
    environment = helpers.python_environment() | {"QT_QPA_PLATFORM": "offscreen"}
    request = pickle.dumps(
        (str(path.absolute()), name, document.text, document.shows_code, results)
    )
    with restricted.restriction_lifted():
        try:
            done = subprocess.run(  # noqa: S603 - our own module, our own interpreter
                helpers.module_command(WRITER),
                env=environment,
                input=request,
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UsageError(f"{path.name}: writing took more than {TIMEOUT_S:.0f} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise UsageError(f"{path.name} cannot be written: {said[-1]}")
