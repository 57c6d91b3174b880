"""``fuselab export FILE OUT``: a document as HTML, PDF, Markdown, LaTeX, notebook, live script."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.command_line import Options, existing_file
from app.engine.error_text import error_text
from app.engine.livecode.consistency import problems_of
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.document_export import write_document
from app.engine.livecode.document_kinds import KINDS
from app.engine.livecode.reading import read_script
from app.errors import UsageError

if TYPE_CHECKING:
    from app.engine.livecode.stored_results import Results


def do_export(options: Options) -> int:
    """Write a document in the format that the output's name says."""
    source = existing_file(options.operands[0]).absolute()
    target = Path(options.operands[1]).absolute()
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise UsageError(f"{target.name}: documents are written as {', '.join(KINDS)}")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}")
    document = LiveDocument(read_script(source).text)
    for problem in problems_of(document):
        sys.stderr.write(f"{source}:{problem.line}: warning: {problem.message}\n")
    code, results = 0, None
    if options.run:
        results, code = run(document, source, options)
    write_document(document, results, target, source.stem)
    return code


def run(document: LiveDocument, source: Path, options: Options) -> tuple[Results, int]:
    """The results of running the document, and the exit code."""
    from app.api import Session
    from app.engine.livecode.running import run_document
    from app.engine.protocol import ErrorRaised, Event

    failed: list[ErrorRaised] = []

    def note(event: Event) -> None:
        if isinstance(event, ErrorRaised):
            failed.append(event)

    chosen = {name: v for name in ("device", "seed", "octave") if (v := getattr(options, name))}
    with Session(path=(*options.path, source.parent), **chosen) as session:
        session.listen(note)
        results = run_document(document, str(source), session)
    for error in failed:
        sys.stderr.write(error_text(error))
    return results, 1 if failed else 0
