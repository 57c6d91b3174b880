"""Runs the calls of ``device_calls`` twice, on the host and on the graph, and compares."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.engine.capture import capture_session
from app.engine.declarations import registry
from app.engine.declarations.registry import Builtin
from app.engine.values import DeviceArray, Value, as_array, class_of, size_of
from app.errors import InternalError, MatlabError
from tests.engine.builtins.device_calls import DATA, NAMES, calls
from tests.engine.builtins.engine_session import Session

RELATIVE = {"double": 1e-10, "single": 2e-4}
ABSOLUTE = {"double": 1e-12, "single": 2e-5}
CAPTURED = 16
"""Elements from which results stay where they are."""
FEW_COUNTS = 32
"""Bytes of a few numbers on which the size of what follows depends: how many elements a mask
selects, the largest subscripts, where bins begin."""
DECIDES_BY = {
    "graythresh": 2048,
    "histeq": 2048,
    "splitapply": 2,
    "kmeans": 512,
    "histcounts2": 160,
    "polyfit": 512,
    "ode45": 128,
    "ode113": 256,
    "svd": 8 * 36,
    "pinv": 8 * 49,
    "ode23": 128,
    "det": 56,
}
"""Bytes that functions look at, however large their arguments: the counts of 256 grey levels,
whether numbers of groups are valid and no group is empty, extremes, a polynomial's numbers, the
error of every step."""
RANDOM = {"rand", "randn", "randi", "randperm", "datasample", "randsample"}
RANDOM |= {f"{name}rnd" for name in ("norm", "unif", "exp", "rayl", "wbl", "ev", "logn")}


@dataclass
class Outcome:
    """What the calls of one builtin showed.

    Attributes:
        captured: calls whose result was lazy.
        dispatched: of these, the ones computed on the device without a download.
        problems: differences from the host.
    """

    captured: int = 0
    dispatched: int = 0
    problems: list[str] = field(default_factory=list)


class Parity:
    """A session with the named data on both sides."""

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime
        self.session = Session()
        self.session.run(DATA)
        capture_session.deactivate()
        self.plain = dict(self.session.interpreter.base)

    def check(self, builtin: Builtin) -> Outcome:
        """Run every call of a builtin on both sides."""
        found = Outcome()
        for call in calls(builtin):
            self._compare(builtin.name, call, found)
        return found

    def check_call(self, name: str, call: str) -> Outcome:
        """Run one call on both sides."""
        found = Outcome()
        self._compare(name, call, found)
        return found

    def _compare(self, name: str, call: str, found: Outcome) -> None:
        host = self._on_host(call)
        lazy, captured, clean = self._on_graph(call)
        found.captured += captured
        found.dispatched += captured and clean
        if isinstance(host, str) or isinstance(lazy, str):
            if not (isinstance(host, str) and isinstance(lazy, str) and host == lazy):
                found.problems.append(f"{call}: {_short(lazy)} instead of {_short(host)}")
        elif name not in RANDOM:
            difference = _difference(lazy, host)
            if difference:
                found.problems.append(f"{call}: {difference}")

    def _on_host(self, call: str) -> Value:
        self.session.interpreter.base.update(self.plain)
        capture_session.deactivate()
        return self._result(call)

    def _on_graph(self, call: str) -> tuple[Value, bool, bool]:
        """The result, whether the graph made it, and whether the device did without a download.

        Results of fewer elements than are captured are fetched as they are.
        """
        capture_session.activate(self.runtime, CAPTURED)
        try:
            base = self.session.interpreter.base
            for name in set(NAMES) & set(re.findall(r"\b[A-Z]\b", call)):
                data = self.plain[name]
                if isinstance(data, np.ndarray) and data.size:
                    base[name] = capture_session.lazy_of(self._made_on_device(data))
            counters = self.runtime.recorder.counters
            before = (
                counters.groups,
                counters.dispatches,
                counters.download_bytes,
                counters.fallbacks,
            )
            result = self._result(call)
            lazy = isinstance(result, DeviceArray)
            if lazy:
                self.runtime.evaluate([result.node], "test")
            groups, dispatches, fetched, fallbacks = (
                now - then
                for now, then in zip(
                    (
                        counters.groups,
                        counters.dispatches,
                        counters.download_bytes,
                        counters.fallbacks,
                    ),
                    before,
                    strict=True,
                )
            )
            shown = 0 if lazy else min(as_array(result).size, CAPTURED)
            most = FEW_COUNTS + 8 * shown
            most += sum(few for name, few in DECIDES_BY.items() if name in call)
            clean = bool(dispatches) and fetched <= most and not fallbacks
            return (result.gather("test") if lazy else result), lazy or bool(groups), clean
        finally:
            capture_session.deactivate()
            self.session.interpreter.base.update(self.plain)

    def _made_on_device(self, data: np.ndarray[Any, Any]) -> Any:
        """The same data as the device computes them, so that the host has no copy."""
        places = self.runtime.leaf(np.arange(data.size).reshape(data.shape, order="F"))
        node = self.runtime.apply("gather", (capture_session.operand(data), places), (data.shape,))
        self.runtime.to_device(node)
        return node

    def _result(self, call: str) -> Value:
        try:
            with np.errstate(all="ignore"):
                return self.session.value(call)
        except InternalError:
            raise
        except MatlabError as problem:
            return f"error {problem.identifier}"


def _short(v: Value) -> str:
    return v if isinstance(v, str) else f"{class_of(v)} {size_of(v)}"


def _difference(ours: Value, theirs: Value) -> str:
    if class_of(ours) != class_of(theirs) or size_of(ours) != size_of(theirs):
        return f"{_short(ours)} instead of {_short(theirs)}"
    kind = "single" if class_of(theirs) == "single" else "double"
    a, b = as_array(ours), as_array(theirs)
    if a.dtype.kind not in "fc" and b.dtype.kind not in "fc":
        return "" if np.array_equal(a, b) else _worst(a, b, a != b)
    with np.errstate(all="ignore"):
        near = np.isclose(a, b, rtol=RELATIVE[kind], atol=ABSOLUTE[kind], equal_nan=True)
    return "" if near.all() else _worst(a, b, ~near)


def _worst(a: Any, b: Any, wrong: Any) -> str:
    return (
        f"{a[wrong].ravel()[:3]} instead of {b[wrong].ravel()[:3]} ({wrong.sum()} of {wrong.size})"
    )


def on_device(builtins: dict[str, Builtin]) -> list[Builtin]:
    """The builtins whose declaration promises a device form."""
    return [b for b in builtins.values() if not b.device.reason]


def is_resident_form(builtin: Builtin) -> bool:
    """Whether its form is for data on the device alone."""
    return bool(getattr(builtin.device, "resident", False))


ALL = on_device(registry.load_all())


def main() -> int:
    """Run every form on an adapter; 1 when one does not run there, or gives another answer."""
    from app.accel.runtime.runtime import Runtime
    from app.accel.support.options import AccelOptions

    runtime = Runtime(AccelOptions(device="gpu"))
    print(runtime.open())
    parity, good = Parity(runtime), 0
    for builtin in ALL:
        found = parity.check(builtin)
        good += bool(found.dispatched and not found.problems)
        if not found.dispatched or found.problems:
            print(
                builtin.name,
                f"{found.dispatched} calls ran on the device",
                *found.problems,
                sep="; ",
            )
    runtime.close()
    print(f"{good} of {len(ALL)} run on the device and agree with the host")
    return int(good < len(ALL))


if __name__ == "__main__":
    raise SystemExit(main())
