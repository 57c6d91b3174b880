"""Elements set by place: the last of equal places wins, on the host, the device and in NumPy."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.api import MatlabError, Session
from tests.campaigns import long_form

if TYPE_CHECKING:
    from app.accel.backends.base import Provider


@pytest.mark.parametrize("name", ["f4", "f8", "u1", "i2", "i4", "i8", "b1"])
@pytest.mark.parametrize(("size", "count"), [(1, 1), (7, 3), (257, 1000), (70001, 5), (5000, 5000)])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_the_last_of_equal_places_wins(
    provider: Provider, size: int, count: int, name: str, device: str
) -> None:
    draw = np.random.default_rng(size)
    base, values = ((draw.normal(size=(n, 1)) * 100).astype(name) for n in (size, count))
    places = draw.integers(0, size, (count, 1))
    if device == "gpu":
        runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    else:
        runtime = Runtime(AccelOptions(device="cpu", verify=True))
    leaves = [runtime.leaf(a) for a in (base, places, values)]
    made = runtime.apply("scatter", tuple(leaves))
    wanted = base.copy()
    for place, value in zip(places[:, 0], values[:, 0], strict=True):
        wanted[place] = value
    assert np.array_equal(runtime.gather(made), wanted)
    # Written with itself: one operand in two places.
    turned = runtime.apply(
        "scatter", (leaves[0], runtime.leaf(np.arange(size)[::-1].reshape(-1, 1)), leaves[0])
    )
    assert np.array_equal(runtime.gather(turned), base[::-1])
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()


def program(draw: random.Random) -> str:
    """An assignment by places, a mask, or places per dimension, with odd classes and shapes."""
    shape = draw.choice([(6000, 1), (1, 6000), (80, 90), (40, 20, 9)])
    count = shape[0] * shape[1] * (shape[2] if len(shape) > 2 else 1)
    kind = draw.choice(["double", "single", "int32", "uint8", "logical"])
    size = " ".join(map(str, shape))
    truth = " > 100" if kind == "logical" else ""
    lines = [f"x = {kind}(reshape(mod((1:{count})*7, 200), [{size}]){truth});"]
    form = draw.choice(["places", "places", "duplicates", "mask", "grid", "outside"])
    number = draw.choice([1, 5, 300, 5000])
    if form == "mask":
        lines.append("b = x;" if truth else "b = mod(x + 0, 3) == 1;")
        lines.append(
            draw.choice(
                [
                    "x(b) = 2*double(x(b)) + 1;",
                    "x(b) = 1:nnz(b);",
                    "v = sqrt(double(x(b))); x(b) = v;",
                    "x(b) = 1:3;",
                ]
            )
        )
    elif form == "grid":
        lines.append(f"r = [3 1 {shape[0]} 1]; c = mod((1:70)*11, {shape[1]}) + 1;")
        lines.append(draw.choice(["x(r, c, 1) = 4;", "x(r, c, 1) = reshape(1:280, 4, 70);"]))
    else:
        last = {"duplicates": 50, "outside": count + 40}.get(form, count)
        lines.append(f"i = floor(mod((1:{number})*{draw.randrange(3, 9999)}.37, {last})) + 1;")
        lines += draw.sample(["i = i';", "i = gpuArray(i);", "i = single(i);"], 2)
        value = draw.choice([f"(1:{number})*0.4", "7", "true", f"single(1:{number})'", "(1:3)"])
        lines.append(f"x(i) = {value};")
    return "\n".join([*lines, "y = x;"])


@pytest.mark.parametrize("seed", long_form(range(4), 1))
def test_assignments_are_those_of_the_host(seed: int) -> None:
    draw = random.Random(seed)
    with Session(device="cpu") as host, Session(device="gpu") as device:
        for _ in range(20):
            code = program(draw)
            found = []
            for session in (host, device):
                try:
                    session.eval(code)
                    found.append(np.asarray(session["y"]))
                except MatlabError as problem:
                    found.append(np.array(problem.message))
            assert found[0].dtype == found[1].dtype, code
            assert found[0].shape == found[1].shape, code
            assert np.array_equal(*found, equal_nan=found[0].dtype.kind == "f"), code


def test_nothing_but_the_answer_is_fetched() -> None:
    with Session(device="gpu") as s:
        s.eval(
            "x = rand(1e5, 1, 'single'); i = randi(1e5, 1e4, 1); x(i) = 2; x(i) = x(i) + 1;"
            "b = x > .5; x(b) = 1 + log(x(b)); disp(sum(x) > 0)"
        )
        assert s.report is not None
        assert s.report.counters["download_bytes"] < 100
        assert s.report.counters["upload_bytes"] < 100


def test_values_that_leave_the_real_domain_are_complex() -> None:
    with Session(device="gpu") as s:
        s.eval("x = ones(6000, 1); v = linspace(-1, 1, 3000)'; x(gpuArray((1:2:6000)')) = sqrt(v);")
        y = np.asarray(s["x"])
    assert y.dtype.kind == "c"
    assert y[0, 0] == 1j
    assert y[1, 0] == 1
