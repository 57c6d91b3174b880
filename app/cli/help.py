"""``fuselab help NAME``: what a builtin or a ``.m`` file says about itself."""

from __future__ import annotations

import json
import sys

from app.cli.command_line import Options


def do_help(options: Options) -> int:
    """Print the help text of one name."""
    from app.engine.builtins.help_pages import find, page

    entry = find(options.operands[0], options.path)
    if options.format == "json":
        sys.stdout.write(json.dumps(entry, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(page(entry))
    return 0
