"""What an elementwise operation costs, as its record has to say it (`OpSpec.costs`).

::

    python -m tests.benchmarks.operations NAME...

Measured on one thread beside `exp` and scaled by what the record of that one says, so that numbers
of any machine fit the others. Units weigh against those of `exp`; `shader`, what a device takes
where units are off, is left to a measurement on a graphics card.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial, reduce

import numpy as np

from app.accel.ir.dtypes import of_numpy
from app.accel.ir.ops import OPS
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph

BLOCK, ELEMENTS, USES, REPEATS = 1 << 14, 1 << 20, 8, 7
ANCHOR = "exp"


def operands(name: str, dtype: type[np.floating], count: int) -> list[np.ndarray]:
    """Numbers in the operation's domain."""
    domain = OPS[name].domain
    low = max(domain.low, -5.0) if domain else -5.0
    high = min(domain.high, 5.0) - 0.01 if domain else 5.0
    rng = np.random.default_rng(1)
    drawn = (rng.uniform(low, high, (count, 1)).astype(dtype) for _ in range(OPS[name].arity))
    return list(drawn)


def nanoseconds(work: Callable[[], object], elements: int) -> float:
    """The best of some runs, per element."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best * 1e9 / elements


def by_numpy(name: str, dtype: type[np.floating]) -> float:
    """Nanoseconds per element of the host meaning, in a block as kernels use them."""
    host, arrays = OPS[name].host, operands(name, dtype, BLOCK)
    assert host is not None, name
    with np.errstate(all="ignore"):
        return nanoseconds(lambda: [host(*arrays) for _ in range(20)], 20 * BLOCK)


def by_machine_code(name: str, dtype: type[np.floating]) -> float:
    """Nanoseconds per element of compiled kernels: what further uses in one kernel add."""
    runtime = Runtime(AccelOptions(device="cpu", host_threads=1))
    compiler = runtime.executor.host.compiler
    compiler.hot_ms = compiler.wait_ms = -1.0
    graph, arrays = Graph(runtime), operands(name, dtype, ELEMENTS)
    kind = of_numpy(np.dtype(dtype))

    def evaluate(uses: int) -> None:
        x, *others = [graph.leaf(a) for a in arrays]
        moved = [graph.plus(x, runtime.scalar(k / 1024, kind)) for k in range(1, uses + 1)]
        terms = [getattr(graph, name)(m, *others) for m in moved]
        runtime.evaluate((reduce(graph.plus, terms),))

    few, many = (nanoseconds(partial(evaluate, n), ELEMENTS) for n in (1, 1 + USES))
    runtime.close()
    return max((many - few) / USES, 0.01)


def main() -> None:
    """Print the costs of the operations that are named."""
    kinds: tuple[type[np.floating], ...] = (np.float32, np.float64)
    record = OPS[ANCHOR].costs
    hosts = [r / by_numpy(ANCHOR, k) for r, k in zip(record.host, kinds, strict=True)]
    codes = [r / by_machine_code(ANCHOR, k) for r, k in zip(record.machine, kinds, strict=True)]
    for name in sys.argv[1:]:
        host = [by_numpy(name, k) * f for k, f in zip(kinds, hosts, strict=True)]
        machine = [by_machine_code(name, k) * f for k, f in zip(kinds, codes, strict=True)]
        units = max(1, round(record.units * machine[0] / record.machine[0]))
        pairs = (f"({a:.2g}, {b:.2g})" for a, b in (host, machine))
        sys.stdout.write(f"{name}: Costs({units}, host={next(pairs)}, machine={next(pairs)})\n")


if __name__ == "__main__":
    main()
