"""What a benchmark consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Peer = Callable[[Any, int], Any]
"""``peer(library, data)`` computes the result with NumPy, torch, CuPy or JAX.

It gives a number, or a tuple that ends in one: what else is in it is stored, as ours is, whatever a
compiler finds out about the number.
"""


def stored(array: Any, place: Any, then: Callable[[Any], Any] = lambda number: number) -> Any:
    """An array that is kept, and what becomes of one of its elements."""
    return array, then(array[place])


@dataclass(frozen=True, slots=True)
class Workload:
    """One benchmark.

    Attributes:
        name: its name.
        sizes: default sizes n.
        setup: MATLAB code that makes the inputs; not timed.
        code: MATLAB code that is timed; sets ``result``.
        numpy: the same for NumPy, ``None`` to leave it out: (setup, work).
        torch: the same for torch; CuPy and JAX run what NumPy runs.
        tolerance: relative difference of results that still counts as equal; random workloads
            compare with their expectation.
        bytes_moved: fewest bytes the work must move through memory, by size.
        flops: arithmetic of matrix work, by size.
        octave: whether GNU Octave runs it too (largest size).
    """

    name: str
    sizes: tuple[int, ...]
    setup: str
    code: str
    numpy: tuple[Peer, Peer] | None = None
    torch: tuple[Peer, Peer] | None = None
    tolerance: float = 1e-4
    bytes_moved: Callable[[int], float] | None = None
    flops: Callable[[int], float] | None = None
    octave: int = 10_000_000
    tags: tuple[str, ...] = field(default=())
