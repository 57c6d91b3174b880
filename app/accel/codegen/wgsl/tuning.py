"""Sizes that suit an adapter; calibration may choose others."""

from __future__ import annotations

from dataclasses import replace

from app.records import record


@record
class Tuning:
    """Tunable sizes.

    Attributes:
        workgroup: invocations of an elementwise workgroup.
        reduction: invocations of a reduction's workgroup.
        two_pass: reductions over more elements than this take two passes.
        loop_steps: operations that one launch of a loop kernel may do (about a fifth of a second).
        groups: workgroups that keep the adapter busy.
        cpu: whether the adapter is a processor.
        fast_maths: whether singles may use the shader language's own functions.
        tile: tile of matrix products such as 64x64x16; auto chooses by size.
    """

    workgroup: int = 256
    reduction: int = 256
    two_pass: int = 65536
    loop_steps: float = 2e11
    groups: int = 2048
    cpu: bool = False
    fast_maths: bool = False
    tile: str = "auto"

    def for_processor(self) -> Tuning:
        """The same for a software adapter: few workgroups (barriers are dear), shorter launches."""
        return replace(self, cpu=True, groups=32, loop_steps=self.loop_steps / 100)
