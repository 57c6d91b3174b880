"""``fuselab lsp``: the language server, over standard input and output."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from app.cli.command_line import Options
from app.errors import UsageError


def do_lsp(options: Options) -> int:
    """Serve one client until it says goodbye."""
    try:
        from app.engine.declarations import toolboxes
        from app.lsp.server import serve
    except ModuleNotFoundError as missing:
        text = f"{missing.name} is missing: pip install 'fuselab[lsp]'"
        raise UsageError(text) from None
    logging.getLogger("pygls").setLevel(logging.ERROR)
    for module in ("pygls.server", "pygls.protocol.json_rpc"):
        logging.getLogger(module).addFilter(_is_fault)
    toolboxes.load_by_scripts_only()
    with _wire() as (incoming, outgoing), contextlib.redirect_stdout(sys.stderr):
        serve(incoming, outgoing)
    return 0


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a record is for the user's eyes; errors that answer a request are the client's."""
    from pygls.exceptions import JsonRpcException

    raised = record.exc_info[1] if record.exc_info else None
    told = record.args if isinstance(record.args, tuple) else ()
    return not any(isinstance(part, JsonRpcException) for part in (raised, *told))


@contextlib.contextmanager
def _wire() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The pipes of standard input and output, for the protocol alone.

    What scripts start inherits an empty input instead, and prints where errors go; the server
    closes its end, and the process's own streams stay what they were for whoever called.
    """
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        with (
            os.fdopen(os.dup(kept[0]), "rb") as incoming,
            os.fdopen(os.dup(kept[1]), "wb") as outgoing,
        ):
            yield incoming, outgoing
    finally:
        for number, stream in enumerate(kept):
            os.dup2(stream, number)
            os.close(stream)
