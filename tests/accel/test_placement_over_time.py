"""What `auto` takes in a run beside the better of both sides, where every time is given."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.accel.ir.dtypes import DType
from app.accel.planner import cost
from app.accel.planner.cost import Speeds
from app.accel.planner.placement import Placer
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph
from tests.accel.simulated import Program, World, times

SIDE = 64
RUNS = 10


def vector(runtime: Runtime) -> Any:
    return Graph(runtime).leaf(np.linspace(0.1, 1, SIDE * SIDE).astype(np.float32))


def matrix(runtime: Runtime) -> Any:
    data = np.linspace(0.1, 1, SIDE * SIDE).astype(np.float32)
    return Graph(runtime).leaf(data.reshape(SIDE, SIDE, order="F"))


def once(runtime: Runtime, x: Any) -> None:
    """One answer."""
    g = Graph(runtime)
    runtime.gather(g.total(g.plus(g.times(g.sin(x), 2.0), x)))


def questions(runtime: Runtime, x: Any) -> None:
    """An answer in every pass, from the same array."""
    g = Graph(runtime)
    for k in range(12):
        runtime.gather(g.total(g.sin(g.plus(x, float(k)))))


def state(runtime: Runtime, x: Any) -> None:
    """An array that goes from pass to pass."""
    g, y = Graph(runtime), x
    for _ in range(12):
        y = g.plus(g.times(y, 0.5), x)
        runtime.evaluate([y])
    runtime.gather(g.total(y))


def power(runtime: Runtime, x: Any) -> None:
    """Products of a matrix and a vector, which is small beside it."""
    g = Graph(runtime)
    v = runtime.apply("fill", (runtime.scalar(1.0, DType.F32),), ((SIDE, 1),))
    for _ in range(12):
        w = runtime.apply("matmul", (x, v), (False, False))
        norm = float(runtime.gather(g.total(g.times(w, w))).item()) ** 0.5
        v = g.rdivide(w, norm + 1.0)
    runtime.gather(v)


def mixed(runtime: Runtime, x: Any) -> None:
    """Large work and small work in turns; the small result goes into the large work."""
    g, y = Graph(runtime), x
    for _ in range(12):
        y = g.sin(g.plus(y, x))
        few = runtime.apply("sum", (y,), ((0,),))
        runtime.evaluate([y, few])
        small = g.rdivide(few, 3.0)
        runtime.evaluate([small])
        y = g.plus(y, small)
    runtime.gather(g.total(y))


PROGRAMS: dict[str, tuple[Any, Program]] = {
    "once": (vector, once),
    "questions": (vector, questions),
    "state": (vector, state),
    "power": (matrix, power),
    "mixed": (matrix, mixed),
}


def speeds(rate: float, launch: float, bus: float = 0.0, compiling: float = 0.0) -> Speeds:
    """All rates from one."""
    slow = rate / 1e9  # machine code is not faster than NumPy here
    transfers = (0.05, bus, 0.15, bus) if bus else (0.0, 1e12, 0.0, 1e12)
    return Speeds(launch, rate, 10 * rate, rate if bus else slow, 10 * rate, *transfers, compiling)


def worlds(
    believed: tuple[float, float] = (1.0, 1.0), buses: tuple[float, ...] = (0.1, 1.0)
) -> dict[str, World]:
    """Slow and fast hosts, cards that are worth it or not, near and far, compilers quick and slow."""
    found = {}
    for host, faster, bus in itertools.product((1e3, 1e4, 1e6), (0.3, 20.0), buses):
        compiling = 150.0 if (host < 1e4) == (bus < 1) else 15.0
        title = f"host {host:g}, card {faster:g} times, bus {bus:g}, compiler {compiling:g}"
        card = speeds(host * faster, 0.06, host * bus, compiling)
        found[title] = World(speeds(host, 0.03), card, believed=believed)
    return found


@dataclass(frozen=True)
class Compared:
    """Milliseconds of the runs of a program in a world: on the host, on the device, and `auto`."""

    cpu: list[float]
    gpu: list[float]
    auto: list[float]
    moving: float

    @classmethod
    def of(cls, name: str, world: World) -> Compared:
        """All three, each with nothing kept from another; `moving` is what its arrays take."""
        prepare, program = PROGRAMS[name]
        sides = (times(world, side, prepare, program, RUNS) for side in ("cpu", "gpu", "auto"))
        return cls(*sides, 2 * cost.upload_ms(4 * SIDE * SIDE, world.device))

    def best(self, run: int) -> float:
        """The better side in one run."""
        return min(self.cpu[run], self.gpu[run])

    def so_far(self, run: int) -> float:
        """The better side in all runs up to this one."""
        return min(sum(self.cpu[: run + 1]), sum(self.gpu[: run + 1]))

    def says(self, run: int) -> str:
        """The figures of a run."""
        return (
            f"run {run + 1}: {self.auto[run]:.1f}, cpu {self.cpu[run]:.1f}, gpu {self.gpu[run]:.1f}"
        )

    def late(self, run: int, most: float) -> str:
        """Why a run, and all up to it, took `auto` too long; empty where they did not.

        Whether arrays will be read again nobody knows: what it takes to bring them to the device
        may be paid in vain once.
        """
        known = self.auto[run] <= 1.05 * self.best(run) + 1.0
        if known or sum(self.auto[: run + 1]) <= most * self.so_far(run) + self.moving + 3.0:
            return ""
        return self.says(run)


@pytest.mark.parametrize("name", PROGRAMS)
def test_auto_is_near_the_better_side(name: str, private_home: Path) -> None:
    """No run takes more than 1.05 times the better side, or all so far not more than 1.2 times."""
    found = {title: Compared.of(name, world) for title, world in worlds().items()}
    wrong = [
        f"{t}: {c.late(r, 1.2)}" for t, c in found.items() for r in (0, 1, 9) if c.late(r, 1.2)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_clearly_the_devices_is_priced_no_more(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pricing takes longer than such a plan."""
    priced = []
    place = Placer.place

    def counted(placer: Placer, *given: Any) -> None:
        priced.append(given)
        place(placer, *given)

    monkeypatch.setattr(Placer, "place", counted)
    world = World(speeds(1e3, 0.03), speeds(2e4, 0.06, 1e3, 15.0))
    prepare, program = PROGRAMS["once"]
    times(world, "auto", prepare, program, 5)
    few = len(priced)
    priced.clear()
    times(world, "auto", prepare, program, 40)
    assert len(priced) == few


@pytest.mark.parametrize("believed", [(4.0, 1.0), (1.0, 2.0), (0.25, 1.0), (1.0, 0.25)], ids=str)
def test_wrong_estimates_are_found_out(believed: tuple[float, float], private_home: Path) -> None:
    """Estimates four times off cost the first runs something, never the tenth."""
    found = {
        title: Compared.of("state", world) for title, world in worlds(believed, (1.0,)).items()
    }
    wrong = [f"{t}: {c.late(9, 1.5)}" for t, c in found.items() if c.late(9, 1.5)]
    assert not wrong, "\n".join(wrong)


def test_a_card_compiles_what_was_planned_while_it_opened(private_home: Path) -> None:
    """The first run ends on the host; the second one waits for no compiler."""
    host = speeds(cost.numpy_ms(_work_of("once"), speeds(1.0, 0.0)) / 400.0, 0.03)
    card = speeds(host.bandwidth * 100, 0.06, host.bandwidth * 10, 150.0)
    first, second, *_ = times(World(host, card), "auto", *PROGRAMS["once"], RUNS)
    assert first > 400
    assert second < 150


def _work_of(name: str) -> cost.Work:
    """All work of a program that is one step."""
    runtime, (prepare, program) = Runtime(AccelOptions(device="cpu")), PROGRAMS[name]
    seen = list[cost.Work]()
    runtime.executor.sent.observe = lambda step, side, spent: seen.append(step.work)
    program(runtime, prepare(runtime))
    runtime.close()
    assert len(seen) == 1
    return seen[0]


def passes(runtime: Runtime, x: Any) -> None:
    """As `state`, of a loop that says how long it goes on; a device there is has been opened."""
    runtime.open()
    g, y = Graph(runtime), x
    for k in range(40):
        y = g.sin(g.plus(g.times(y, 0.5), x))
        runtime.planner.repeats = 40 - k
        runtime.evaluate([y])
    runtime.planner.repeats = 1
    runtime.gather(g.total(y))


def test_a_loop_that_goes_on_tries_the_device_whatever_is_thought_of_it(private_home: Path) -> None:
    """A card twice a hundred times as fast as its kind: the first run finds out."""
    host = speeds(1e3, 0.03)
    world = World(host, speeds(1e5, 0.06, 1e3, 15.0), 300.0, believed=(1.0, 200.0))
    on_host, on_card, chosen = (
        times(world, side, vector, passes, 1)[0] for side in ("cpu", "gpu", "auto")
    )
    assert chosen < on_card + 0.2 * on_host
