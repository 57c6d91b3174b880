"""Restricted headless runs: the process gives up its rights before it opens a session."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app import restricted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.command_line import Options


def confine(options: Options, folders: Sequence[Path]) -> None:
    """Keep the process to reading ``folders`` and the search path, and to one temporary folder.

    What the system does not enforce is said on standard error: then calls are refused by name only.
    """
    from app import sandbox
    from app.engine.builtins.graphics import renderer
    from app.engine.language.grammar import table

    table()  # while our own cache can be read
    temporary = restricted.temporary_folder()
    accounts = [Path(name).absolute() for name in (options.report, options.trace) if name]
    for place in accounts:
        place.touch()
    own = temporary / "home"
    own.mkdir()
    os.environ["FUSELAB_HOME"] = str(own)  # caches and reports of this run only
    readable = [folder.resolve() for folder in (*folders, *map(Path, options.path))]
    protection = sandbox.enter(readable, temporary, accounts)
    if protection.programs:
        renderer.fork_server()
    if not options.quiet:
        told = f"restricted run, {protection}; it may write below {temporary} only"
        sys.stderr.write(f"fuselab: {told}\n")
