"""What runs have measured, kept for the next ones: a file per device, and one for the host.

A script that runs for the second time is placed by what its kernels took the first time.
"""

from __future__ import annotations

from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING

from app import paths
from app.accel.ir.plan import Template
from app.accel.planner.cost import Correction, Known, Side, Sized, Speeds
from app.accel.support import disk_cache
from app.digests import text_digest
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MOST = 2000
SCRIPTS = 64


@mutable_record
class Memory:
    """What is known of a device, or of the host.

    Attributes:
        own: what kernels took.
        factors: by how much estimates were off, with these `speeds`.
        compilers: how long compilations took, for their weight.
        compiled: how long those of single kernels took, the latest last.
        scripts: what those that computed there gained by it, in milliseconds, the latest last.
    """

    own: dict[Sized, Known] = field(default_factory=dict)
    factors: dict[tuple[Side, Template], float] = field(default_factory=dict)
    compilers: dict[Template, float] = field(default_factory=dict)
    compiled: dict[str, float] = field(default_factory=dict)
    speeds: Speeds | None = None
    scripts: dict[str, float] = field(default_factory=dict)


def file_of(name: str) -> Path:
    """Where a device's (or the host's) measurements are kept."""
    return paths.cache_dir() / "history" / f"{text_digest(name)}.measured"


def read(name: str) -> Memory:
    """What earlier runs have measured; empty where there were none."""
    found = disk_cache.read(file_of(name))
    return found if isinstance(found, Memory) else Memory()


def recall(correction: Correction, device: bool, name: str, speeds: Speeds) -> None:
    """Begin with what earlier runs have learnt; this one's own measurements go before it."""
    memory = read(name)
    for sized, known in memory.own.items():
        correction.own.setdefault((device, sized), known)
    if memory.speeds == speeds:
        correction.factors = memory.factors | correction.factors
    if device:
        correction.compilers = memory.compilers | correction.compilers
        correction.compiled = memory.compiled | correction.compiled


def keep(
    correction: Correction, device: bool, name: str, speeds: Speeds, gains: Mapping[str, float]
) -> None:
    """Leave to later runs what this one has learnt."""
    memory = read(name)
    for (there, sized), known in correction.own.items():
        if there == device:
            memory.own.pop(sized, None)
            memory.own[sized] = known
    memory.own = dict(islice(memory.own.items(), max(0, len(memory.own) - MOST), None))
    earlier = memory.factors if memory.speeds == speeds else {}
    memory.factors = earlier | {
        key: f for key, f in correction.factors.items() if device == (key[0] is Side.DEVICE)
    }
    memory.speeds = speeds
    if device:
        memory.compilers |= correction.compilers
        taken = (memory.compiled | correction.compiled).items()
        memory.compiled = dict(islice(taken, max(0, len(taken) - MOST), None))
    others = {script: ms for script, ms in memory.scripts.items() if script not in gains}
    memory.scripts = dict(list((others | dict(gains)).items())[-SCRIPTS:])
    disk_cache.write(file_of(name), memory)


def forget_device(correction: Correction) -> None:
    """The device is not the one that this was measured on."""
    correction.own = {key: own for key, own in correction.own.items() if not key[0]}
    correction.factors = {
        key: f for key, f in correction.factors.items() if key[0] is not Side.DEVICE
    }
    correction.compilers.clear()
    correction.compiled.clear()
