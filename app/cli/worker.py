"""``fuselab worker``: this machine does work for pools of other ones."""

from __future__ import annotations

import logging
import os
import sys

from app.cli.command_line import Options
from app.engine.parallel.cluster import SCHEMES
from app.errors import UsageError


def do_worker(options: Options) -> int:
    """Join a scheduler and start workers as pools ask for them, until the scheduler has gone."""
    (address,) = options.operands
    if not address.startswith(SCHEMES):
        raise UsageError(f"a scheduler's address is such as tcp://host:8786, not {address}")
    places = options.jobs or str(os.cpu_count() or 1)
    if not places.isdecimal() or not int(places):
        raise UsageError(f"--jobs must be a number of workers, not {places}")
    try:
        from app.engine.parallel import cluster_host
    except ModuleNotFoundError as missing:
        text = f"{missing.name} is missing: pip install 'fuselab[cluster]'"
        raise UsageError(text) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said here
    if not options.quiet:
        sys.stderr.write(f"fuselab: places for workers: {places}, for the scheduler at {address}\n")
    cluster_host.join(address, int(places), options.device or "auto")
    if not options.quiet:
        sys.stderr.write(f"fuselab: the scheduler at {address} has gone\n")
    return 0
