"""What is written down when Fuselab itself breaks."""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path

from app import __version__, paths, restricted
from app.errors import refused_access


def report(bug: BaseException) -> str:
    """Write a crash report and say where it is; what the system refuses is told without one."""
    if refused := refused_access(bug):
        return f"a file cannot be used: {refused}"
    summary = "".join(traceback.format_exception_only(bug)).strip()
    try:
        with restricted.restriction_lifted():
            place = f"the crash report is {_write(bug)}"
    except OSError as problem:
        traceback.print_exception(bug, file=sys.stderr)
        place = f"the crash report could not be written: {problem}"
    return f"internal error (a bug of Fuselab, not of your script): {summary}\n{place}"


def _write(bug: BaseException) -> Path:
    import platform

    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = paths.crash_dir() / f"crash-{stamp}-{time.perf_counter_ns() % 1_000_000:06}.txt"
    head = [
        f"fuselab {__version__}",
        f"python {platform.python_version()} on {platform.platform()}",
        f"command line: {sys.argv}",
        "",
    ]
    text = "\n".join(head) + "".join(traceback.format_exception(bug))
    paths.write_private(path, text.encode("utf-8", "replace"))
    return path
