"""``make oracle``: transcripts, test blocks and random programs against an installed GNU Octave.

Exits with 1 when there is a difference that no rule explains, or a file that could not be run.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from tests.oracle import bist, differential, transcripts

INSTALL = "apt-get install -y --no-install-recommends octave"
PARTS: tuple[tuple[str, Callable[[list[str]], int]], ...] = (
    ("Conformance transcripts", transcripts.main),
    ("Test blocks of Octave's function files", bist.main),
    ("Random programs", differential.main),
)


def main() -> int:
    """Run every part; the worst of their exit statuses."""
    if shutil.which("octave-cli") is None:
        print(f"GNU Octave is not installed; install it with:\n    {INSTALL}", file=sys.stderr)
        return 2
    failed = []
    for title, part in PARTS:
        print(f"\n{title}\n{'=' * len(title)}", flush=True)
        if part([]):
            failed.append(title)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nno unexplained difference")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
