"""``python -m tests.benchmarks --placement``: what `auto` chooses beside both that it chose from.

Every workload runs in three processes, forced to the host, forced to the device and `auto`, turn by
turn, so that all meet the same machine. The shortest warm time of each counts, after some seconds
of the same work; cold times are those of the first pass. The second table holds estimates of
groups against what they measured.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from tests.benchmarks.workloads import Workload

SIDES = ("cpu", "gpu", "auto")
SETTLE_S = 3.0
"""Seconds of the same work before warm times are taken: a device opens in one or two."""
WORTH_MS = 1.0
"""Shorter groups are not held against their estimates."""
TIMED = "bench_start = tic;\n{code}\nelapsed = toc(bench_start);\n"
Groups = list[dict[str, Any]]


def serve(device: str, pipe: Connection) -> None:
    """In a process of its own: run each text that comes, answer its time and its groups."""
    from app import settings
    from app.engine.session.session import Session
    from app.engine.values import DeviceArray
    from app.source import SourceText

    session = Session(settings.load({"FUSELAB_DEVICE": device}), _complain)

    def keep(value: Any, nargout: int = 0) -> None:
        runtime = session.interpreter.runtime
        if isinstance(value, DeviceArray):
            runtime.evaluate([value.node])
        runtime.synchronize()

    for name in ("keep", "wait_for"):
        session.interpreter.define_functions({name: keep})
    while code := pipe.recv():
        session.run_source(SourceText("bench.m", TIMED.format(code=code)))
        spent = float(session.interpreter.workspace["elapsed"]) * 1e3
        pipe.send((spent, session.last_report["groups"]))
    session.close()


def _complain(event: Any) -> None:
    if type(event).__name__ == "ErrorRaised":
        raise SystemExit(f"the workload failed: {event.message}\n{event.caret}")


@dataclass(slots=True)
class Side:
    """One process and what it measured.

    Attributes:
        times: milliseconds of every pass, the first one cold.
        groups: group rows of the last pass.
    """

    pipe: Connection
    times: list[float] = field(default_factory=list)
    groups: Groups = field(default_factory=list)

    def run(self, code: str) -> float:
        """Run a text; how long it took."""
        self.pipe.send(code)
        spent, self.groups = self.pipe.recv()
        return float(spent)

    def settle(self, code: str) -> None:
        """Run on for a while: a session that works opens its device and compiles meanwhile."""
        started = perf_counter()
        while perf_counter() - started < SETTLE_S:
            self.run(code)

    @property
    def best(self) -> float:
        """The shortest warm time."""
        return min(self.times[1:])


@contextmanager
def side(device: str) -> Iterator[Side]:
    """A process that runs on one side."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(device, theirs))
    process.start()
    theirs.close()
    try:
        yield Side(ours)
        ours.send("")
    finally:
        process.join()


def compare(work: Workload, n: int, repeat: int) -> dict[str, Any]:
    """Times of one workload on every side, and its groups' estimates."""
    with ExitStack() as stack:
        sides = {name: stack.enter_context(side(name)) for name in SIDES}
        for one in sides.values():
            one.run(f"n = {n};\n{work.setup}")
        for one in sides.values():
            one.times.append(one.run(work.code))
            one.settle(work.code)
        for _ in range(repeat):
            for one in sides.values():
                one.times.append(one.run(work.code))
    row: dict[str, Any] = {"name": work.name, "n": n}
    row |= {name: one.best for name, one in sides.items()}
    row |= {f"cold_{name}": one.times[0] for name, one in sides.items()}
    row["ratio"] = row["auto"] / min(row["cpu"], row["gpu"])
    row["placed"] = sorted({f"{g['provider']}: {g['reason']}" for g in sides["auto"].groups})
    row["estimates"] = [e for one in sides.values() for e in _estimates(work, n, one)]
    return row


def _estimates(work: Workload, n: int, one: Side) -> Iterator[dict[str, Any]]:
    """Groups that took long enough, with estimate and measured time of the side that ran them."""
    for group in one.groups:
        where = "host" if group["provider"] == "host" else "device"
        runs, estimate = group["executions"], group[f"{where}_estimate_ms"]
        if not runs or group["measured_ms"] is None or estimate is None:
            continue
        measured = group["measured_ms"] / runs
        if measured >= WORTH_MS:
            yield {
                "name": work.name,
                "n": n,
                "where": where,
                "kind": group["kind"],
                "ops": "·".join(group["ops"])[:40],
                "estimate": estimate,
                "measured": measured,
                "ratio": estimate / measured,
            }


def table(workloads: tuple[Workload, ...], sizes: list[int], repeat: int) -> list[dict[str, Any]]:
    """Print both tables; the rows."""
    out = sys.stdout
    out.write(
        "| work | n | cpu ms | gpu ms | auto ms | auto/best | auto chose | cold cpu | cold gpu "
        "| cold auto |\n|---|---|---|---|---|---|---|---|---|---|\n"
    )
    rows = []
    for work in workloads:
        for n in sizes or work.sizes:
            row = compare(work, n, repeat)
            rows.append(row)
            cold = " | ".join(f"{row[f'cold_{name}']:.1f}" for name in SIDES)
            out.write(
                f"| {row['name']} | {n} | {row['cpu']:.2f} | {row['gpu']:.2f} | "
                f"{row['auto']:.2f} | {row['ratio']:.2f} | {', '.join(row['placed'])} | "
                f"{cold} |\n"
            )
            out.flush()
    out.write(
        "\n| work | n | where | kind | ops | estimate ms | measured ms | estimate/measured |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    for e in (e for row in rows for e in row["estimates"]):
        out.write(
            f"| {e['name']} | {e['n']} | {e['where']} | {e['kind']} | {e['ops']} | "
            f"{e['estimate']:.2f} | {e['measured']:.2f} | {e['ratio']:.2f} |\n"
        )
    return rows
