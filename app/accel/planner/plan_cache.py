"""Plans of earlier runs of a script, read in the background while it begins."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import field, replace
from threading import Thread
from typing import TYPE_CHECKING, Any

from app import paths
from app.accel.support import disk_cache
from app.accel.support.background import LowPriorityWork
from app.digests import text_digest
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from app.accel.planner.schedule import CompiledPlan
    from app.accel.planner.walk import Sharing, Walk

MOST = 200
"""Plans kept of a script: the latest."""
STRUCTURES = 1024
"""Structures whose plans this process remembers."""


def file_of(script: str) -> Path:
    """Where the plans of a script are kept."""
    return paths.cache_dir() / "plans" / f"{text_digest(script)}.plans"


class KnownPlans:
    """The plans of this process, those used last, by structure and by the numbers taken for equal.

    A plan is good for every graph of its structure in which the same uses of parameters are equal;
    that more of them happen to be equal makes no difference.
    """

    def __init__(self) -> None:
        self._plans: OrderedDict[object, dict[Sharing, CompiledPlan]] = OrderedDict()

    def find(self, structure: object, walk: Walk) -> CompiledPlan | None:
        """A plan for the graph that was walked, if there is one."""
        for sharing, plan in self._plans.get(structure, {}).items():
            if walk.shares(sharing):
                self._plans.move_to_end(structure)
                return plan
        return None

    def keep(self, structure: object, plan: CompiledPlan) -> None:
        """Remember a plan; for those of too many structures the one unused for longest goes."""
        self._plans.setdefault(structure, {})[plan.sharing] = plan
        self._plans.move_to_end(structure)
        if len(self._plans) > STRUCTURES:
            self._plans.popitem(last=False)

    def items(self) -> Iterator[tuple[object, CompiledPlan]]:
        """Plans by the key of `PlanCache.get`, the structure used last at the end."""
        for structure, plans in self._plans.items():
            for sharing, plan in plans.items():
                yield (structure, sharing), plan

    def values(self) -> Iterator[CompiledPlan]:
        """All plans."""
        return (plan for _, plan in self.items())

    def clear(self) -> None:
        """Forget them all."""
        self._plans.clear()


@mutable_record
class PlanCache:
    """What has been read: plans without placements, by the key under which they were made.

    It is read once for a script: after its first run this process has better ones.
    """

    found: dict[object, CompiledPlan] = field(default_factory=dict)
    _reader: Thread | None = None
    _begun: set[str] = field(default_factory=set)

    def expect(self, script: str) -> None:
        """A script begins."""
        if script in self._begun:
            return
        self._begun.add(script)
        self._reader = Thread(
            target=self._read, args=(script,), name="fuselab-compile-plans", daemon=True
        )
        self._reader.start()

    def _read(self, script: str) -> None:
        with LowPriorityWork():
            self.found = disk_cache.read(file_of(script)) or {}

    def wait(self) -> None:
        """Wait for what is being read."""
        if self._reader is not None:
            self._reader.join()

    def get(self, key: object, bindings: int) -> CompiledPlan | None:
        """The plan of this key, if it has been read by now and no kernel is too wide."""
        plan = self.found.get(key)
        return plan if plan is not None and plan.width <= bindings else None

    def gave(self, plan: CompiledPlan) -> bool:
        """Whether a plan comes from an earlier run."""
        return any(plan is kept for kept in self.found.values())


def keep(script: str, plans: Iterable[tuple[Any, CompiledPlan]]) -> None:
    """Leave plans, the latest last, to the next run of a script."""
    entries = list(plans)[-MOST:]
    if entries:
        disk_cache.write(file_of(script), {key: _storable_plan(plan) for key, plan in entries})


def _storable_plan(plan: CompiledPlan) -> CompiledPlan:
    """A plan without what this run has made of it."""
    steps = [
        replace(
            step,
            pipelines={},
            rows={},
            shown=None,
            row=-1,
            awaited=None,
            drifted=False,
            runs=0,
            memo=None if step.memo is None else {},
        )
        for step in plan.steps
    ]
    plan = replace(plan, steps=steps, uses=0, priced=0, gain=None, outline=None)
    return replace(plan, prepared=None, arrays=None)
