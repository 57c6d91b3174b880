"""From which size on the device wins: the cost model's own curves, per kind of operation.

These are the formulas that decide placements, fed with the speeds that were measured; nothing is
guessed for the panel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from app.accel.planner.cost import Speeds, Work

SIZES = tuple(round(10 ** (exponent / 2)) for exponent in range(6, 18))
LEAST, MOST = 1e2, 1e10


@record
class Kind:
    """A class of operations: its name for people, ops per element, element type."""

    title: str
    ops: tuple[str, ...]
    double: bool = False
    reduced: bool = False


@record
class Crossover:
    """Times of a kind of operation over sizes.

    Attributes:
        host: milliseconds there, per size.
        device: milliseconds there.
        moved: the same with both copies.
        from_size: the size from which on the device is faster; None where it never is.
    """

    title: str
    sizes: tuple[int, ...]
    host: tuple[float, ...]
    device: tuple[float, ...]
    moved: tuple[float, ...]
    from_size: int | None


KINDS = (
    Kind("Addition, single", ("plus",)),
    Kind("Six sines, single", ("sin",) * 6),
    Kind("Six sines, double", ("sin",) * 6, double=True),
    Kind("Sum of products, single", ("times",), reduced=True),
)


def curves(host: Speeds, device: Speeds | None) -> tuple[Crossover, ...]:
    """One per kind of operation; none without a device."""
    if device is None:
        return ()
    rows = [_row(kind.title, partial(elementwise, kind), host, device) for kind in KINDS]
    return (*rows, _row("Matrix product, single", product, host, device))


def elementwise(kind: Kind, n: int) -> Work:
    """The work of a chain over ``n`` elements, perhaps summed up."""
    from app.accel.backends.host import host_cost
    from app.accel.ir.dtypes import DType
    from app.accel.ir.plan import Instr
    from app.accel.planner import cost

    dtype = DType.F64 if kind.double else DType.F32
    body = [Instr(op, dtype, (0,)) for op in kind.ops]
    units = sum(cost.units(op) for op in kind.ops) + kind.reduced
    moved = dtype.size * (n if kind.reduced else 2 * n)
    nanoseconds = host_cost.elements(body, n) + (host_cost.REDUCED["sum"] * n) * kind.reduced
    nanoseconds += 0 if kind.reduced else host_cost.FRESH * n * dtype.size
    single, double = (0, units * n) if kind.double else (units * n, 0)
    return cost.Work(moved, single, double, 0, nanoseconds)


def product(n: int) -> Work:
    """The work of multiplying two square matrices of ``n`` elements each."""
    from app.accel.planner import cost

    side = n**0.5
    return cost.Work(12 * n, 0, 0, round(side**3))


def _row(title: str, work: Callable[[int], Work], host: Speeds, device: Speeds) -> Crossover:
    from app.accel.planner import cost

    def on_host(n: int) -> float:
        return cost.numpy_ms(work(n), host)

    def on_device(n: int) -> float:
        return cost.device_ms(work(n), device)

    def moved(n: int) -> float:
        copied = work(n).bytes // 2
        return on_device(n) + cost.upload_ms(copied, device) + cost.download_ms(copied, device)

    return Crossover(
        title,
        SIZES,
        tuple(map(on_host, SIZES)),
        tuple(map(on_device, SIZES)),
        tuple(map(moved, SIZES)),
        crossing(on_host, on_device),
    )


def crossing(host: Callable[[int], float], device: Callable[[int], float]) -> int | None:
    """The least size from which the device is faster; None when it never is."""
    low, high = LEAST, MOST
    if device(round(high)) > host(round(high)):
        return None
    if device(round(low)) <= host(round(low)):
        return round(low)
    while high / low > 1.01:
        middle = (low * high) ** 0.5
        faster = device(round(middle)) <= host(round(middle))
        low, high = (low, middle) if faster else (middle, high)
    return round(high)
