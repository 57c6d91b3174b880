"""Random parfor bodies on 1, 2 and 5 workers and as kernels: the bits of passes one by one.

``python -m tests.engine.parallel.same_bits [FIRST [COUNT]] [--device gpu]`` runs so many seeds; what
differs is printed with its seed, and how many bodies were kernels.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from app.engine.interpreter.loops import parfor_kernel
from app.engine.interpreter.loops.parfor_run import Run
from app.errors import MatlabError
from tests.engine.parallel import kernel_bodies, random_bodies, scalar_bodies
from tests.engine.parallel.running import Owner

WORKERS = (1, 2, 5)


def program(seed: int) -> tuple[str, list[str]]:
    """A program with a parfor, and the names of what it makes."""
    if seed % 4 == 0:
        return "".join(random_bodies.random_body(seed)), [*random_bodies.NAMES, "last"]
    if seed % 4 == 1:
        return scalar_bodies.scalar_body(seed), scalar_bodies.NAMES
    return kernel_bodies.kernel_body(seed), kernel_bodies.NAMES


@contextmanager
def kernels(*, forced: bool) -> Iterator[None]:
    """Every loop is tried as a kernel after its first range, or none is."""
    changed = mock.patch.multiple(
        parfor_kernel,
        LEAST_S=0.0,
        MOST_SHARE=float("inf"),
        LEAST_PASSES=2 if forced else 1 << 40,
    )
    timed = property(lambda run: run.at > 0)
    with changed, mock.patch.object(Run, "is_timed", timed):
        yield


def ran(owner: Owner, text: str, *, forced: bool = False) -> tuple[str, str]:
    """The error that a program ends with, and what the report says of kernels."""
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    runtime.recorder.boundaries.clear()
    error = ""
    with kernels(forced=forced):
        try:
            owner.run("clear;" + text)
        except MatlabError as problem:
            error = f"{problem.identifier}: {problem.message}"
    said = [b.detail for b in runtime.recorder.boundaries.values() if "kernel" in b.detail]
    return error, "; ".join(said)


def differences(plain: Owner, other: Owner, names: list[str]) -> list[str]:
    """The variables that differ in a bit, or in class or size."""
    found = []
    for name in names:
        if (name in plain.session.interpreter.base) != (name in other.session.interpreter.base):
            found.append(name)
        if name not in plain.session.interpreter.base:
            continue
        plain.session.interpreter.base["other"] = other.value(name)
        plain.run(
            f"same = isequaln({name}, other) && strcmp(class({name}), class(other))"
            f" && (~isfloat({name}) || isequal(1./{name}(:) > 0, 1./other(:) > 0));"
        )
        if plain.value("same") is not True:
            found.append(name)
    return found


def main() -> int:
    """Run the campaign; gives 1 where a body differs."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("first", type=int, nargs="?", default=0)
    given.add_argument("count", type=int, nargs="?", default=2000)
    given.add_argument("--device", default="cpu", help="what kernels run on")
    given.add_argument("--no-workers", action="store_true", help="kernels alone")
    chosen = given.parse_args()
    plain, kernel = Owner(), Owner(device=chosen.device)
    pools = {} if chosen.no_workers else {n: Owner(n) for n in WORKERS}
    wrong = kernel_count = 0
    reasons: dict[str, int] = {}
    for seed in range(chosen.first, chosen.first + chosen.count):
        text, names = program(seed)
        error, _ = ran(plain, text)
        for way, owner in {**pools, "kernel": kernel}.items():
            failed, said = ran(owner, text, forced=way == "kernel")
            if way == "kernel":
                kernel_count += "ran as one kernel" in said
                reason = said.rpartition("not a kernel: ")[2]
                reasons[reason] = reasons.get(reason, 0) + 1
            bad = [] if error or failed else differences(plain, owner, names)
            if error != failed or bad:
                wrong += 1
                print(f"seed {seed} on {way}: {bad or (error, failed)} ({said})", flush=True)
    for owner in (plain, kernel, *pools.values()):
        owner.close()
    print(f"{chosen.count} bodies, {kernel_count} as kernels, {wrong} differ")
    for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1])[:30]:
        print(f"{times:6} {reason}")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
