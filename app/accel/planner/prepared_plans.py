"""Plans that run again on the device: what does not change is kept, and handed in as a whole.

A plan of which every step runs on the device launches the same kernels in every run. What may
differ are buffers, numbers and offsets; where the buffers are those of the run before, as they are
in a program that runs again, only the numbers are put in anew.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from app.accel.ir.plan import Dispatch, Template
from app.accel.planner.dispatch_template import maps_of
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from weakref import ref

    from app.accel.backends.base import Buffer, Pipeline, Player, Provider, Submission
    from app.accel.ir.node import Node
    from app.accel.planner.schedule import CompiledPlan, PlannedStep

    Params: TypeAlias = tuple[complex, ...]

FIXED = frozenset({Template.ALGORITHM, Template.LOOP})
"""Templates whose launches depend on their parameters."""
SEQUENCES, SEEN = 4, 8
"""Of one plan, sequences for buffers and offsets it has had lately, and how many of those it knows.
"""
KEPT, KEPT_SHARED = 2 << 30, 256 << 20
"""Bytes of values that nobody asked for which may be there until the plan has run: on a card, and
where the device shares our memory."""


@mutable_record
class _Recorded:
    """Launches of a plan on given buffers.

    Attributes:
        played: the player's sequences.
        params: the parameters of every step, as they were put in last.
    """

    played: Sequence[object]
    params: list[Params]


@mutable_record
class PreparedPlan:
    """What is known of a plan whose steps all run on one device.

    Attributes:
        device: where it runs.
        steps: those that run: none of those whose result is given memory that holds it.
        leaves: numbers of the values that it reads and does not make.
        made: numbers of those that it makes.
        given: by the number of a value the one whose memory it takes over.
        recorded: launches by what they depend on: buffers, offsets, parameters of `FIXED` steps.
        seen: what they have depended on lately; what comes again is recorded.
        latest: buffers that its values had in the latest run, by number; it keeps none alive.
    """

    device: Provider
    steps: Sequence[PlannedStep]
    leaves: tuple[int, ...]
    made: tuple[int, ...]
    given: dict[int, int] = field(default_factory=dict)
    recorded: dict[Hashable, _Recorded] = field(default_factory=dict)
    seen: dict[Hashable, None] = field(default_factory=dict)
    latest: Sequence[tuple[int, ref[Buffer]]] = ()

    @classmethod
    def of(cls, plan: CompiledPlan, order: Sequence[Node], device: Provider) -> PreparedPlan | None:
        """What to keep of a plan; None for one that must be run step by step."""
        given = _given_memory(plan)
        if device.player is None or given is None or not all(s.decision.device for s in plan.steps):
            return None
        steps = [step for step in plan.steps if not step.copies]
        made = dict.fromkeys(k for step in steps for k in step.outputs if k not in given)
        own = {*made, *given}
        leaves = dict.fromkeys(k for step in steps for k in step.inputs if k not in own)
        kept = sum(order[k].size * order[k].dtype.size for k in made if k not in plan.wanted)
        if kept > (KEPT_SHARED if device.info.type == "cpu" else KEPT):
            return None
        return cls(device, steps, tuple(leaves), tuple(made), given)

    def bound(
        self,
        order: Sequence[Node],
        buffers: dict[int, Buffer],
        params: Callable[[PlannedStep], Params],
    ) -> Launching:
        """A run over these buffers."""
        values = [params(step) for step in self.steps]
        player = self.device.player
        assert player is not None
        depends: list[object] = [player.storage(buffers.values())]
        for step, given in zip(self.steps, values, strict=True):
            if step.memo is None:
                depends.append(maps_of(step, order))
            if given and step.kernel.template in FIXED:
                depends.append(given)
        return Launching(self, player, order, buffers, values, tuple(depends))


def _given_memory(plan: CompiledPlan) -> dict[int, int] | None:
    """Which values of a plan take over the memory of earlier ones, as `buffer_reuse.try_donate` has
    it; None where that depends on more than the plan."""
    given = dict[int, int]()
    there = set[int]()
    for step in plan.steps:
        if step.copies:
            if plan.guarded or step.inherits not in there:
                return None
            there.remove(step.inherits)
            given[step.outputs[0]] = step.inherits
        there.update(step.outputs)
    return given


@mutable_record
class Launching:
    """One run of a prepared plan.

    Attributes:
        depends: what its launches depend on.
    """

    plan: PreparedPlan
    player: Player[object]
    order: Sequence[Node]
    buffers: dict[int, Buffer]
    params: list[Params]
    depends: Hashable

    def handed_in(
        self, pipelines: Mapping[str, Pipeline], wanted: Sequence[Buffer], *, awaited: bool
    ) -> Submission | None:
        """What has been submitted; None where the plan is to be run step by step."""
        plan, player = self.plan, self.player
        if any(step.kernel.key not in pipelines for step in plan.steps):
            return None
        known = plan.recorded.get(self.depends)
        if known is None:
            known = self._record(pipelines) if self._comes_again() else None
            if known is None:
                return None
        changed = [
            (k, now)
            for k, (before, now) in enumerate(zip(known.params, self.params, strict=True))
            if not _are_same_bits(before, now)
        ]
        rows = iter([step.row for step in plan.steps])
        for part in known.played:
            player.label(part, rows)
        submission = player.again(known.played, changed, wanted, awaited=awaited)
        if submission is None:
            del plan.recorded[self.depends]
        else:
            known.params = self.params
        return submission

    def _comes_again(self) -> bool:
        """Whether all this was so in one of the latest runs; noted for those to come."""
        seen = self.plan.seen
        if self.depends in seen:
            return True
        while len(seen) >= SEEN:
            del seen[next(iter(seen))]
        seen[self.depends] = None
        return False

    def _record(self, pipelines: Mapping[str, Pipeline]) -> _Recorded | None:
        plan = self.plan
        try:
            played = self.player.recorded(
                [
                    Dispatch(
                        pipelines[step.kernel.key],
                        tuple([self.buffers[k] for k in step.inputs]),
                        tuple([self.buffers[k] for k in step.outputs]),
                        step.extents,
                        maps_of(step, self.order),
                        params,
                        step.row,
                        step.memo,
                    )
                    for step, params in zip(plan.steps, self.params, strict=True)
                ]
            )
        except Unsupported:
            return None
        if played is None:
            return None
        while len(plan.recorded) >= SEQUENCES:
            del plan.recorded[next(iter(plan.recorded))]
        made = plan.recorded[self.depends] = _Recorded(played, self.params)
        return made


def _are_same_bits(before: Params, now: Params) -> bool:
    """Whether parameters are the same bits: zeros have signs, and what is no number equals none."""
    return before == now and (all(before) or repr(before) == repr(now))
