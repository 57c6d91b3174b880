"""Plans of earlier runs of a script, read in the background while it begins."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from threading import Thread
from typing import TYPE_CHECKING, Any

from app import paths
from app.accel.support import disk_cache
from app.accel.support.background import LowPriorityWork

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from app.accel.planner.schedule import CompiledPlan

MOST = 200
"""Plans kept of a script: the latest."""


def file_of(script: str) -> Path:
    """Where the plans of a script are kept."""
    digest = blake2b(script.encode(), digest_size=8).hexdigest()
    return paths.cache_dir() / "plans" / f"{digest}.plans"


@dataclass(slots=True)
class PlanCache:
    """What has been read: plans without placements, by the key under which they were made."""

    found: dict[object, CompiledPlan] = field(default_factory=dict)
    _reader: Thread | None = None

    def expect(self, script: str) -> None:
        """A script begins."""
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
        disk_cache.write(file_of(script), {key: _bare(plan) for key, plan in entries})


def _bare(plan: CompiledPlan) -> CompiledPlan:
    """A plan without what this run has made of it."""
    steps = [
        replace(
            step,
            pipelines={},
            rows={},
            row=-1,
            awaited=None,
            drifted=False,
            runs=0,
            memo=None if step.memo is None else {},
        )
        for step in plan.steps
    ]
    return replace(plan, steps=steps, uses=0, gain=None, outline=None)
