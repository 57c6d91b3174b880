"""What scripts ask of a parallel pool. There is none: loops of ``parfor`` run in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import EMPTY, NativeObject, Value, text_of
from app.errors import MatlabError

_FAMILY = "session"
_HOST = HostOnly("steers the session and computes no arrays", lazy=True)
_KEY = "parallel.pool"


@native_type
class Pool(NativeObject):
    """One worker: the session itself.

    Attributes:
        profile: the name it was asked for by.
    """

    class_name = "parallel.Pool"
    is_handle = True
    shape = (1, 1)

    def __init__(self, profile: str) -> None:
        self.profile = profile

    def get_member(
        self, ctx: Any, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``pool.NumWorkers`` and the other properties."""
        known: dict[str, Value] = {
            "NumWorkers": 1.0,
            "Cluster": self,
            "Profile": self.profile,
            "Connected": True,
            "IdleTimeout": np.inf,
            "SpmdEnabled": False,
            "Type": "Local",
            "Host": "localhost",
            "AttachedFiles": np.zeros((0, 0)),
        }
        if name not in known:
            text = f"Unrecognized method, property, or field '{name}'."
            raise MatlabError("MATLAB:noSuchMethodOrField", text)
        return known[name]

    def set_member(self, ctx: Any, name: str, value: Any) -> NativeObject:
        """Numbers of workers and the like change nothing."""
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``delete(pool)``."""
        return {"delete": lambda ctx, args, n: _close(ctx)}


def _close(ctx: Any) -> Value:
    ctx.state.pop(_KEY, None)
    return ()


@builtin(
    "parpool",
    category=_FAMILY,
    device=_HOST,
    signatures=("pool = parpool", "pool = parpool(n)", "pool = parpool(profile, n)"),
    cases=("p = parpool('local', 4); p.NumWorkers == 1",),
    see=("gcp", "parcluster"),
)
def parpool(ctx: Any, *args: Value) -> Value:
    """A pool with one worker: passes of parfor run one after another, and a warning says so."""
    made = Pool(text_of(args[0]) if args and isinstance(args[0], str) else "Processes")
    ctx.state[_KEY] = made
    ctx.warning(
        "Fuselab:parallel:OneWorker",
        "There is no pool of workers: parfor runs its "
        "passes one after another. Arrays use all cores and the device by themselves.",
    )
    return made


@builtin(
    "gcp",
    category=_FAMILY,
    device=_HOST,
    signatures=("pool = gcp", "pool = gcp('nocreate')"),
    cases=("delete(gcp('nocreate')); isempty(gcp('nocreate'))",),
    see=("parpool",),
)
def gcp(ctx: Any, word: Value = "") -> Value:
    """The current pool, made if need be; ``[]`` with ``'nocreate'`` when there is none."""
    found = ctx.state.get(_KEY)
    if found is not None or text_of(word).lower() == "nocreate":
        return EMPTY if found is None else found
    return parpool(ctx)


@builtin(
    "parcluster",
    category=_FAMILY,
    device=_HOST,
    signatures=("c = parcluster", "c = parcluster(profile)"),
    cases=("parcluster('local').NumWorkers == 1",),
    see=("parpool",),
)
def parcluster(profile: Value = "Processes") -> Value:
    """The machine as a cluster with one worker."""
    return Pool(text_of(profile))
