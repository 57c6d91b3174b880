"""``fuselab check``: parses files and folders and reports what is wrong; runs nothing."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from app.cli.command_line import Options
from app.errors import UsageError, said_by_system
from app.source import SourceText, Span

Row = dict[str, Any]
MANY_FILES = 200
"""With more files than this, starting other processes pays off."""
FILES_PER_PROCESS = 100
MOST_PROCESSES = 32


def do_check(options: Options) -> int:
    """Check every file named; the exit code is 1 when one has an error."""
    files = list(_files(options.operands))
    rows = [row for found in _diagnostics_of_files(files, octave=options.octave) for row in found]
    failed = len({r["file"] for r in rows if r["severity"] == "error"})
    if options.format == "json":
        result = {"files": len(files), "failed": failed, "diagnostics": rows}
        sys.stdout.write(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("".join(_text(row) for row in rows))
        if not options.quiet:
            sys.stdout.flush()
            sys.stderr.write(f"files checked: {len(files)}, with errors: {failed}\n")
    return 1 if failed else 0


def _diagnostics_of_files(files: list[Path], *, octave: bool) -> Iterator[list[Row]]:
    """The diagnostics per file, in the order of ``files``; many files are shared out."""
    check = partial(check_file, octave=octave)
    workers = min(os.cpu_count() or 1, len(files) // FILES_PER_PROCESS, MOST_PROCESSES)
    if len(files) <= MANY_FILES or workers < 2:
        yield from map(check, files)
        return
    from concurrent.futures import ProcessPoolExecutor

    from app.engine.language import grammar

    grammar.table()  # kept on disk now, so that no worker builds it
    spawn, ignore = multiprocessing.get_context("spawn"), (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(workers, spawn, signal.signal, ignore) as pool:
        yield from pool.map(check, files, chunksize=32)


def check_file(path: Path, *, octave: bool = False) -> list[Row]:
    """The diagnostics of one file, in the order of the text."""
    from app.engine.analysis import check_text
    from app.engine.language import MATLAB, OCTAVE
    from app.engine.livecode.consistency import markup_diagnostics
    from app.engine.livecode.reading import read_script

    try:
        content = read_script(path)
    except (UsageError, OSError) as problem:
        said = said_by_system(problem) if isinstance(problem, OSError) else str(problem)
        return [_row(SourceText(str(path), ""), Span(0, 0), "error", "encoding", said)]
    source = SourceText(str(path), content.text)
    rows = []
    if content.warning:
        rows.append(_row(source, Span(0, 0), "warning", "encoding", content.warning))
    found = check_text(source, OCTAVE if octave else MATLAB) + markup_diagnostics(content.text)
    return rows + [_row(source, d.span, d.severity.value, d.code, d.message) for d in found]


def _row(source: SourceText, span: Span, severity: str, code: str, message: str) -> Row:
    start, end = source.place(span.start), source.place(max(span.start, span.end))
    return {
        "file": source.name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "severity": severity,
        "code": code,
        "message": message,
        "caret": source.caret(span),
    }


def _text(row: Row) -> str:
    head = f"{row['file']}:{row['line']}:{row['column']}: {row['severity']}: {row['message']}"
    caret = "".join(f"    {line}\n" for line in row["caret"].split("\n"))
    return f"{head} [{row['code']}]\n{caret}"


def _files(names: tuple[str, ...]) -> Iterator[Path]:
    for name in names:
        path = Path(name)
        if not path.exists():
            raise UsageError(f"there is no file {name}")
        yield from sorted(filter(Path.is_file, path.rglob("*.m"))) if path.is_dir() else (path,)
