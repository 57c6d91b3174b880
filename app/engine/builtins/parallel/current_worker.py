"""Which worker runs this: getCurrentWorker, getCurrentTask, getCurrentJob."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.parallel.parallel import parallel_of
from app.engine.values import EMPTY, Struct, Value

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "parallel"


def _facts(ctx: Context, kind: str) -> Value:
    """What is known of the worker, its task or its job; empty in the session itself."""
    worker = parallel_of(ctx).worker
    if worker is None:
        return EMPTY
    named = {"ID": float(worker.number), "Name": f"{kind}_{worker.number}"}
    return Struct({**named, "ProcessId": float(os.getpid()), "Host": "localhost"})


@builtin(
    "getCurrentWorker",
    category=_FAMILY,
    device=SESSION,
    signatures=("w = getCurrentWorker",),
    cases=("isempty(getCurrentWorker)",),
    see=("getCurrentTask", "parpool"),
)
def get_current_worker(ctx: Context) -> Value:
    """The worker that runs this: ID, Name, ProcessId and Host; ``[]`` in the session itself."""
    return _facts(ctx, "worker")


@builtin(
    "getCurrentTask",
    category=_FAMILY,
    device=SESSION,
    signatures=("t = getCurrentTask",),
    cases=("isempty(getCurrentTask)",),
    see=("getCurrentWorker",),
)
def get_current_task(ctx: Context) -> Value:
    """The task that runs this, whose ID is that of its worker; ``[]`` in the session itself."""
    return _facts(ctx, "task")


@builtin(
    "getCurrentJob",
    category=_FAMILY,
    device=SESSION,
    signatures=("j = getCurrentJob",),
    cases=("isempty(getCurrentJob)",),
    see=("getCurrentWorker",),
)
def get_current_job(ctx: Context) -> Value:
    """The job that runs this; ``[]`` in the session itself."""
    return _facts(ctx, "job")
