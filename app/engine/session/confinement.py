"""A process that runs what nobody trusts gives up its rights before it opens a session."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from app import restricted, sandbox
from app.sandbox import Protection


def confine(readable: Sequence[Path], accounts: Iterable[str] = ()) -> Protection:
    """Keep this process to reading some folders and to writing one temporary folder, for good.

    Args:
        readable: what scripts may read, beside the installation.
        accounts: files that may be written, too: reports the user asked for; empty names are none.
    """
    from app.engine.builtins.graphics import renderer
    from app.engine.language.grammar import table

    table()  # while our own cache can be read
    temporary = restricted.temporary_folder()
    written = [Path(name).absolute() for name in accounts if name]
    for place in written:
        place.touch()
    own = temporary / "home"
    own.mkdir()
    os.environ["FUSELAB_HOME"] = str(own)  # caches and reports of this process only
    protection = sandbox.enter([folder.resolve() for folder in readable], temporary, written)
    if protection.programs:
        renderer.fork_server()
        sandbox.forbid_processes()
    return protection
