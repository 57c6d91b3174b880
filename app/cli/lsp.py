"""``fuselab lsp``: the language server, over standard input and output."""

from __future__ import annotations

import contextlib
import logging
import os
import sys

from app.cli.command_line import Options
from app.errors import UsageError


def do_lsp(options: Options) -> int:
    """Serve one client until it says goodbye."""
    try:
        from app.lsp.server import serve
    except ModuleNotFoundError as missing:
        text = f"{missing.name} is missing: pip install 'fuselab[lsp]'"
        raise UsageError(text) from None
    logging.getLogger("pygls").setLevel(logging.ERROR)
    # The server closes its pipe at the end, and nothing else may be written into it meanwhile.
    with (
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output,
        contextlib.redirect_stdout(sys.stderr),
    ):
        serve(output)
    return 0
