"""Sizes that suit an adapter; calibration may choose others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Tunable sizes.

    Attributes:
        workgroup: invocations of an elementwise workgroup.
        reduction: invocations of a reduction's workgroup.
        two_pass: reductions over more elements than this take two passes.
        loop_steps: operations that one launch of a loop kernel may do (about a fifth of a second).
        cpu: whether the adapter is a processor.
    """

    workgroup: int = 256
    reduction: int = 256
    two_pass: int = 65536
    loop_steps: float = 2e11
    cpu: bool = False
