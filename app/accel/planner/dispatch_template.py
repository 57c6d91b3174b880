"""What a dispatch will look like, before there are buffers: enough to compile its kernel for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.accel.ir.plan import Dispatch, KernelRequest, MapValues
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.ir.node import Node
    from app.accel.planner.schedule import PlannedStep


@record
class PipelineTemplate:
    """Stands for the pipeline."""

    request: KernelRequest

    @property
    def key(self) -> str:
        """The request's key."""
        return self.request.key


@dataclass(frozen=True, slots=True, eq=False)
class BufferTemplate:
    """Stands for a buffer."""

    count: int


def dispatch_template(step: PlannedStep, order: Sequence[Node]) -> Dispatch:
    """The dispatch of a step; values that are not known yet are 0."""
    buffers = {k: BufferTemplate(order[k].size) for k in (*step.inputs, *step.outputs)}
    return Dispatch(
        PipelineTemplate(step.kernel),
        tuple(buffers[k] for k in step.inputs),
        tuple(buffers[k] for k in step.outputs),
        step.extents,
        maps_of(step, order),
        tuple(number_of(order, *place) for place in step.params),
        step.row,
    )


def maps_of(step: PlannedStep, order: Sequence[Node]) -> tuple[MapValues, ...]:
    """Run-time halves of the index maps, as things are now."""
    if step.memo is not None and "maps" in step.memo:
        return step.memo["maps"]  # type: ignore[no-any-return]
    found = []
    for constant, terms, strides in step.maps:
        offset = constant
        for number, item, factor in terms:
            offset += int(order[number].data[item].real) * factor
        found.append(MapValues(offset, strides))
    if step.memo is not None:
        step.memo["maps"] = tuple(found)
    return tuple(found)


def number_of(order: Sequence[Node], number: int, item: int) -> complex | float:
    """A parameter, or 0 where it is a value that is not known yet."""
    if number < 0:
        return item
    data = order[number].data
    return data[item] if 0 <= item < len(data) else 0
