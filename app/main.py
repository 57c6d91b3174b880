"""The front door: picks the verb, and turns every ending into an exit code.

0 fine, 1 the script failed, 2 wrong usage, 3 a bug of ours, 130 interrupted. Nothing heavy is
imported here; each verb imports what it needs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from app.errors import Interrupted, UsageError

STARTED_NS = time.perf_counter_ns()
FINE, FAILED, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    try:
        return _dispatch(list(sys.argv[1:] if arguments is None else arguments))
    except UsageError as problem:
        return _complain(str(problem), USAGE)
    except (KeyboardInterrupt, Interrupted):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FINE
    except Exception as bug:  # the crash barrier: nothing escapes unreported
        from app import crash

        return _complain(crash.report(bug), BUG)


def _dispatch(arguments: list[str]) -> int:
    from app.cli import command_line

    options = command_line.parse(arguments)
    return command_line.handler(options.verb)(options)


def _complain(message: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"fuselab: {message}\n")
    return code
