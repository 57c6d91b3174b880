"""What an algorithm tells the planner and the providers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.launch import Launch
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.node import Attrs, Shape
    from app.accel.ir.plan import Dispatch, KernelRequest

    Array = NDArray[np.generic]


class Held(Protocol):
    """An operand or a result in memory."""

    count: int


def held(operand: object) -> Held:
    """An operand of a dispatch as algorithms see it."""
    return cast("Held", operand)


class Effort(NamedTuple):
    """What a run takes.

    Attributes:
        bytes: what a device reads and writes.
        units: a device's arithmetic, waiting for neighbours included; see `cost`.
        host: reference nanoseconds on the host; see `host_cost`.
    """

    bytes: int
    units: int
    host: float


class Algorithm(ABC):
    """One algorithm along an axis, the first of a node's attrs.

    Attributes:
        at_once: nodes that share their first operand, each with a second one of its own, that one
            dispatch computes at most.
    """

    at_once: ClassVar[int] = 1

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """How an operand of this shape is walked: lines along the axis."""
        axis = int(str(attrs[0]))
        return math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])

    def options(self, shape: Shape, attrs: Attrs) -> tuple[tuple[str, int], ...]:
        """The request's attrs from a node's and its operand's shape; none."""
        del shape, attrs
        return ()

    @abstractmethod
    def host(
        self, ops: Sequence[str], operands: Sequence[Array], extents: Shape, options: dict[str, int]
    ) -> list[Array]:
        """The results named by `ops`, each flat in column-major order."""

    @abstractmethod
    def programs(self, request: KernelRequest, *, abilities: Abilities) -> tuple[Program, ...]:
        """The shaders, each once."""

    @abstractmethod
    def launches(
        self, dispatch: Dispatch, stages: Sequence[Any], limit: int
    ) -> Iterator[tuple[Any, Launch]]:
        """The launches in order; Unsupported where scratch memory would exceed `limit` bytes."""

    @abstractmethod
    def work(self, request: KernelRequest, points: int, lines: int) -> Effort:
        """What so many points in so many lines take."""


class ElementsAlgorithm(Algorithm):
    """One that takes all elements in a row, whatever their shape, and has no options."""

    def extents(self, shape: Shape, attrs: Attrs) -> tuple[int, int, int]:
        """One line."""
        del attrs
        return 1, math.prod(shape), 1
