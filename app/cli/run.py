"""``fuselab run`` and ``fuselab eval``: a script without a window."""

from __future__ import annotations

import sys
from pathlib import Path

from app.cli import headless
from app.cli.command_line import Options, existing_file
from app.cli.project_options import is_restricted, project_of
from app.errors import UsageError
from app.project import NAME
from app.source import SourceText


def do_run(options: Options) -> int:
    """Run a file, or standard input."""
    name = options.operands[0] if options.operands else _entry(options)
    if name == "-":
        data = sys.stdin.buffer.read()
        return headless.execute(
            options, lambda session: session.run_bytes(data, "<stdin>"), Path.cwd()
        )
    path = existing_file(name)
    arguments = options.script_arguments
    return headless.execute(
        options, lambda session: session.run_file(path, arguments), path.resolve().parent
    )


def _entry(options: Options) -> str:
    """What the project of the current folder runs where no file is given."""
    project = project_of(options)
    if project is None and is_restricted(options):
        raise UsageError(f"a restricted run needs a FILE: {NAME} is not read")
    if project is None or project.entry is None:
        raise UsageError(f"run needs a FILE, or an entry in the {NAME} of the project")
    return str(project.entry)


def do_eval(options: Options) -> int:
    """Run the code of the command line."""
    code = options.operands[0]
    return headless.execute(
        options, lambda session: session.run_source(SourceText("<eval>", code)), Path.cwd()
    )
