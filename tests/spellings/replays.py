"""``python -m tests.spellings.replays [COUNT [FIRST]]``: random loops with and without a tape.

Their passes hold sums, products, shifts, slices by the counter and the like, so that they are no
loop of one kernel. What is replayed gives the same bits as what is planned, and is counted alike. Tapes of
earlier runs give the same bits, too.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime import replay
from app.accel.runtime.kept_tapes import KeptTapes, tapes_of
from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.errors import Unsupported
from tests.engine.interpreter.running import Machine
from tests.spellings.campaign import outcome
from tests.spellings.measuring import CAPTURE, device_options
from tests.support.machine_code import interpreted_loops

BODIES = (
    "x = 1.01 * x - mean(x);",
    "x = x - 0.1 * max(abs(x));",
    "x = 0.5 * circshift(x, 1) + 0.5 * x;",
    "x(2:end-1) = x(2:end-1) + 0.1 * (x(1:end-2) - 2 * x(2:end-1) + x(3:end));",
    "U(2:end-1, 2:end-1) = 0.25 * (U(1:end-2, 2:end-1) + U(3:end, 2:end-1)"
    " + U(2:end-1, 1:end-2) + U(2:end-1, 3:end));",
    "w = A * x; x = w / norm(w);",
    "x = cumsum(x) / n;",
    "U = min(U, U(:, k) + U(k, :));",
    "Y(:, k) = x;",
    "Z(k, :) = 2 * x';",
    "s = s + sum(x);",
    "m(k) = mean(x);",
    "x = x + B(:, k) * mean(x);",
    "x = x + 0.01 * B(:, p + 1 - k) - mean(x);",
    "t = t + 0.1; x = x * cos(t) + mean(x);",
    "x = x + (k - 20) * 0.001 * mean(x);",
    "x = x * (1 - 0.9 ^ k) + mean(x);",
    "x = x + mean(x) / sqrt(k);",
    "x = x + mean(x) / min(k, 12);",
    "x = x * single(k) / 50 + mean(x);",
    "q = 1.5 * x - 0.5 * r + 0.01 * mean(x); r = x; x = q;",
    "x = x + 0.01 * (rand(n, 1) - 0.5) * mean(x);",
    "f = x > mean(x); x(f) = 0.5 * x(f);",
    "x = sort(x) - 0.1;",
    "x = x - 0.5 * mean(x(3:10)) + 0.001 * x(k);",
    "z = 0.9 * z .* exp(0.1i) + 0.1 * mean(z);",
    "c = c + (x > mean(x));",
    "b = b / 2 + uint8(3 + k); s = s + mean(double(b));",
    "x = x - 0.01 * (A' * (A * x)) / n;",
)
GUARDED = (
    "if mod(k, 5) == 0, {} end",
    "if mod(k, 3) ~= 1, {} else, {} end",
    "if k > 11, {} end",
    "c5 = c5 + 1; if c5 == 4, c5 = 0; {} end",
    "if mod(k, 4) == 2, v = v + 1; m(v) = max(x); {} end",
    "if mod(k, 6) == 1, q = x; {} end",
    "if mod(k, 4) == 1, {} elseif mod(k, 4) == 3, [x, r] = deal(r, x); {} end",
    "if mod(k, 7) == 0, x = sqrt(abs(x)); {} end",
    "if k == 9, {} end",
    "switch mod(k, 3), case 0, {} case 2, {} end",
)
"""Branches that follow from numbers alone."""
ENDS = ("", "", "", "if max(x) > 40, break, end", "if sum(abs(x)) < 1, break, end")
STEPS = ("1:p", "1:p", "1:p", "p:-1:1", "1:2:p", "p/2:p", "(1:p) + 0")


def _statement(r: random.Random) -> str:
    """A line of a body, every third one below a branch."""
    if r.random() < 0.65:
        return r.choice(BODIES)
    branch = r.choice(GUARDED)
    return branch.format(*(r.choice(BODIES) for _ in range(branch.count("{}"))))


def program(seed: int) -> str:
    """A script with such a loop."""
    r = random.Random(seed)
    n = r.choice([64, 70, 96, 129])
    kind = r.choice(["double", "single"])
    body = "\n".join(_statement(r) for _ in range(r.randint(1, 4)))
    end, steps = r.choice(ENDS), r.choice(STEPS)
    return (
        f"n = {n}; p = {r.choice([24, 33, 40, 60])};\n"
        f"x = {kind}(reshape(sin((1:n) * 7), n, 1)); r = x; q = x; s = 0; t = 0; m = zeros(1, p);\n"
        f"A = {kind}(reshape(cos(1:n*n), n, n)); B = {kind}(reshape(sin(1:n*p), n, p));\n"
        f"U = {kind}(reshape(mod((1:n*n) * 7919, 1009), n, n)); Y = zeros(n, p, '{kind}');\n"
        f"Z = zeros(p, n); z = complex(x, 0.5 * x); c = zeros(n, 1); b = zeros(n, 1, 'uint8');\n"
        f"w = x; v = 0; c5 = 0;\nfor k = {steps}\n{body}\n{end}\nend\n"
    )


@contextmanager
def without_tape() -> Iterator[None]:
    """Every unit is planned."""

    def refused(*_: object) -> None:
        raise Unsupported("a test does without")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay.TapeWriter, "write", refused)
        patch.setattr(replay, "ATTEMPTS", 1 << 30)
        yield


def difference(seed: int, runtime: Runtime) -> str:
    """What differs for a program; empty where nothing does."""
    text = program(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeptTapes, "bound", lambda *_: [])  # each loop has tapes of its own
        found = _outcome(text, runtime)
    again = _outcome(text, runtime)
    with without_tape():
        tapes_of(runtime).forms.clear()
        expected = _outcome(text, runtime)
    for which, (printed, values, _) in {"": found, "again: ": again}.items():
        if printed != expected[0]:
            return f"{which}text: {expected[0]!r} {printed!r}"
        for name, value in expected[1].items():
            if not np.array_equal(values.get(name), value, equal_nan=value.dtype.kind in "fc"):
                return f"{which}{name}"
    if found[2] != expected[2]:
        return f"counted {found[2]} instead of {expected[2]}"
    return ""


def _outcome(text: str, runtime: Runtime) -> tuple[str, dict[str, np.ndarray], int]:
    """What a program prints and leaves behind, and the groups that were no copies."""
    runtime.recorder.reset()
    capture_session.activate(runtime, CAPTURE)
    try:
        with interpreted_loops():  # the host's own code adds up in another order
            printed, values = outcome(text)
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
        gc.collect()
    runtime.synchronize()
    counters = runtime.recorder.counters
    rows = runtime.recorder.groups.values()
    assert counters.dispatches == sum(row.dispatches for row in rows)
    assert counters.groups == sum(row.executions for row in rows)
    # A tape spares copies that passes planned one by one make.
    return printed, values, sum(row.executions for row in rows if "assign" not in row.ops)


def main(count: int = 300, first: int = 0) -> int:
    """Print what differs; how many programs do."""
    provider = open_provider()
    runtime = Runtime(device_options(), provider)
    wrong = 0
    for seed in range(first, first + count):
        problem = difference(seed, runtime)
        if problem:
            wrong += 1
            sys.stdout.write(f"{seed}: {problem}\n{program(seed)}\n")
    sys.stdout.write(f"{count} programs, {wrong} differ\n")
    runtime.close()
    provider.close()
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
