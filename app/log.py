"""Loggers by topic: ``lang``, ``run``, ``fuse``, ``gpu``, ``ui``, ``settings``.

``FUSELAB_LOG=debug`` or ``FUSELAB_LOG=gpu=debug,fuse=info`` shows them on standard error.
"""

from __future__ import annotations

import logging
import os

ROOT = "fuselab"


def topic(name: str) -> logging.Logger:
    """The logger of one topic."""
    return logging.getLogger(f"{ROOT}.{name}")


def configure(specification: str | None = None) -> None:
    """Show log records on standard error as ``specification`` (or ``FUSELAB_LOG``) says."""
    text = os.environ.get("FUSELAB_LOG", "") if specification is None else specification
    root = logging.getLogger(ROOT)
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for part in filter(None, text.split(",")):
        name, _, level = part.rpartition("=")
        logger = topic(name) if name else root
        logger.setLevel(_level(level))


def _level(name: str) -> int:
    return logging.getLevelNamesMapping().get(name.strip().upper(), logging.WARNING)
