"""Fourier transforms: the device's answers are NumPy's up to rounding."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.codegen.algorithms.fourier_passes import passes
from app.accel.numerics import fft_tables
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.api import Session

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

SHAPES = [
    ((4096, 1), 0),
    ((1, 4096), 1),
    ((64, 96), 0),
    ((64, 96), 1),
    ((12, 30, 7), 1),
    ((2, 3), 0),
    ((1000, 3), 0),
    ((77, 13), 1),
    ((5, 1), 0),
    ((1, 9), 0),
    ((2048, 5), 0),
    ((91, 26), 0),
]
TOLERANCE = {"f4": 3e-6, "c8": 3e-6, "f8": 3e-15, "c16": 3e-15}


LONG = [((4096, 1), 0), ((1 << 15, 2), 0), ((2, 4096), 1), ((12, 30, 7), 1), ((1000, 3), 0)]
LONG += [
    ((8192, 2), 0),
    ((20000, 3), 0),
    ((30030, 2), 0),
    ((1, 1 << 17), 1),
    ((98304, 1), 0),
    ((90, 5), 0),
    ((34, 7), 1),
    ((26, 9), 0),
    ((75, 4), 0),
]


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("name", TOLERANCE)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_transform(
    provider: Provider, shape: tuple[int, ...], axis: int, name: str, inverse: bool
) -> None:
    transformed(provider, shape, axis, name, inverse)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("name", ["f4", "c16"])
@pytest.mark.parametrize(("shape", "axis"), LONG)
def test_transform_in_workgroup_memory(
    graphics: Provider, shape: tuple[int, ...], axis: int, name: str, inverse: bool
) -> None:
    transformed(graphics, shape, axis, name, inverse)


@pytest.mark.parametrize(
    ("n", "spread", "cuts"),
    [
        (4096, False, [4096]),
        (4096, True, [256, 16]),
        (1 << 20, False, [1024, 1024]),
        (8192, False, [512, 16]),
        (1 << 21, True, [128, 128, 128]),
        (3000, False, [3000]),
    ],
)
def test_passes_are_few_and_even(n: int, spread: bool, cuts: list[int]) -> None:
    found = passes(n, 4096, spread=spread)
    assert [each.radix for each in found] == cuts
    assert all(each.lines * each.width <= 4096 for each in found if len(each.steps) > 1)
    assert math.prod(each.radix for each in passes(n, 0, spread=spread)) == n


def transformed(
    provider: Provider, shape: tuple[int, ...], axis: int, name: str, inverse: bool
) -> None:
    """A transform on the device is NumPy's."""
    random = np.random.default_rng(axis)
    data = random.normal(size=shape) + 1j * random.normal(size=shape)
    data = np.asfortranarray((data if name[0] == "c" else data.real).astype(name))
    wide = "c8" if name in {"f4", "c8"} else "c16"
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    table = runtime.leaf(fft_tables.roots(shape[axis], inverse).astype(wide).reshape(-1, 1))
    node = runtime.apply("fft", (runtime.leaf(data), table), (axis, inverse))
    runtime.evaluate([node])
    assert runtime.state(node) == "device"
    assert runtime.recorder.counters.fallbacks == 0
    expected = (np.fft.ifft if inverse else np.fft.fft)(data, axis=axis)
    found = runtime.gather(node)
    assert found.dtype == np.dtype(wide)
    if name[0] == "f" and not inverse:  # the spectrum of real numbers is symmetric to the bit
        mirrored = np.conj(np.roll(np.flip(found, axis), 1, axis))
        assert np.array_equal(found, mirrored)
    scale = np.abs(expected).max()
    assert np.abs(found - expected).max() <= TOLERANCE[name] * scale


EVEN = [
    ((4096, 1), 0),
    ((2, 3), 0),
    ((1 << 15, 2), 0),
    ((1, 20000), 1),
    ((30030, 2), 0),
    ((90, 5), 0),
]


@pytest.mark.parametrize("name", ["c8", "c16"])
@pytest.mark.parametrize(("shape", "axis"), [*EVEN, ((1, 1 << 17), 1), ((98304, 1), 0)])
def test_real_inverse(graphics: Provider, shape: tuple[int, ...], axis: int, name: str) -> None:
    real_inverse(graphics, shape, axis, name)


@pytest.mark.parametrize("name", ["c8", "c16"])
@pytest.mark.parametrize(("shape", "axis"), EVEN)
def test_real_inverse_without_workgroup_memory(
    provider: Provider, shape: tuple[int, ...], axis: int, name: str
) -> None:
    real_inverse(provider, shape, axis, name)


def real_inverse(provider: Provider, shape: tuple[int, ...], axis: int, name: str) -> None:
    """The numbers whose spectrum it is come back."""
    real = np.random.default_rng(axis).normal(size=shape)
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    table = runtime.leaf(fft_tables.roots(shape[axis], True).astype(name).reshape(-1, 1))
    data = runtime.leaf(np.asfortranarray(np.fft.fft(real, axis=axis).astype(name)))
    node = runtime.apply("irfft", (data, table), (axis, True))
    runtime.evaluate([node])
    assert runtime.state(node) == "device"
    assert runtime.recorder.counters.fallbacks == 0
    found = runtime.gather(node)
    assert found.dtype == np.dtype({"c8": "f4", "c16": "f8"}[name])
    assert np.abs(found - real).max() <= TOLERANCE[name] * np.abs(real).max() * 4


@pytest.mark.parametrize(("length", "launches"), [(4096, 1), (8192, 1), (75, 1), (1 << 15, 3)])
def test_real_columns_that_fit_a_workgroup_are_one_launch(
    graphics: Provider, length: int, launches: int
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    table = runtime.leaf(fft_tables.roots(length, False).astype("c8").reshape(-1, 1))
    data = runtime.leaf(np.ones((length, 2), "f4", order="F"))
    runtime.evaluate([runtime.apply("fft", (data, table), (0, False))])
    assert runtime.recorder.counters.dispatches == launches


def test_lengths() -> None:
    assert fft_tables.radices(4096) == (16, 16, 16)
    assert fft_tables.radices(360) == (8, 3, 3, 5)
    assert fft_tables.radices(1) == (1,)
    assert fft_tables.radices(34) is None


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("y = real(ifft2(fft2(x) .* fft2(k)));", False),
        ("y = ifft2(fft2(x) .* conj(fft2(x)) / 3 + 2 * fft2(k));", False),
        ("y = ifft(fft(x) .* abs(fft(k)));", False),
        ("F = fft2(x); y = ifft2(F .* k);", True),
        ("y = ifft(fft2(x));", True),
        ("y = ifft(1i * fft(x));", True),
    ],
)
def test_what_is_made_of_real_spectra_is_known_to_be_symmetric(code: str, asks: bool) -> None:
    with Session(device="gpu") as s:
        s.eval("x = rand(256, 128); k = rand(256, 128);" + code + "y = y + 1;")
        assert s.report is not None
        assert s.report.counters["download_bytes"] == int(asks)
        if not asks:
            assert np.asarray(s["y"]).dtype == np.float64


@pytest.mark.parametrize(
    ("code", "halved"),
    [
        ("y = real(ifft(fft(x) .* conj(fft(x))));", True),
        ("y = ifft2(fft2(x));", True),
        ("y = ifft(fft(x), 'symmetric');", True),
        ("y = xcorr(x(1:5000)', x(1:4000)');", True),
        ("y = conv(x(1:5000)', x(1:4000)');", True),
        ("y = ifft(fft(x, [], 2), [], 2);", False),
        ("y = ifft(fft(x(1:125, :)));", False),
        ("y = abs(ifft(1i * fft(x)));", False),
    ],
)
def test_inverses_of_symmetric_spectra_are_of_half_the_length(code: str, halved: bool) -> None:
    with Session(device="gpu") as s:
        s.eval("x = rand(256, 128);" + code + "y = y + 1; disp(y(1));")
        assert s.report is not None
        ops = [op for group in s.report.groups for op in group["ops"]]
        assert ("irfft" in ops) is halved
        with Session(device="cpu") as host:
            host["x"] = s["x"]
            host.eval(code + "y = y + 1;")
            assert np.allclose(s["y"], host["y"], rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("made", ["x * 2", "sqrt(x)", "x > 1", "ifft2(fft2(x))", "fft2(x)"])
def test_whether_an_array_is_real_is_told_without_it(made: str) -> None:
    with Session(device="gpu") as s:
        s.eval(f"x = rand(256, 128); y = {made}; r = [isreal(y), ~iscomplex(y)];")
        assert s.report is not None
        assert s.report.counters["download_bytes"] <= 4
        np.testing.assert_array_equal(s["r"], np.full((1, 2), made != "fft2(x)"))


@pytest.mark.parametrize("spectrum", ["F .* k", "complex(real(F), imag(F))"])
@pytest.mark.parametrize(
    "code",
    [
        "y = ifft2(F) .* c;",
        "z = ifft2(F); y = c - z; y = y + z .* 2i;",
        "y = abs(ifft2(F)) + 1;",
        "s.F = F; y = c ./ (1i * abs(ifft2(s.F)) + ifft2(s.F) .* c);",
    ],
)
def test_what_may_be_real_is_not_looked_at_beside_complex_numbers(spectrum: str, code: str) -> None:
    """The device chooses between what real and what complex numbers give."""
    found: list[np.ndarray] = []
    for device in ("gpu", "cpu"):
        with Session(device=device) as s:
            s.eval(f"rng(2); x = rand(64, 32); c = x + 1i; k = c.'.'; F = fft2(x); F = {spectrum};")
            s.eval(code)
            assert s.report is not None
            assert s.report.counters["download_bytes"] == 0
            found.append(np.asarray(s["y"]))
    assert found[0].dtype == found[1].dtype
    np.testing.assert_allclose(*found, rtol=1e-12, atol=1e-12)


SPLIT_STEPS = """
n = 256; x = linspace(-8, 8, n); k = [0:n/2-1, -n/2:-1]; s.E = exp(-0.005i * k.^2); m = zeros(1, {n});
s.p = exp(-x.^2 / 2 + 1i * x); s.V = exp(-0.005i * x.^2);
for t = 1:{n}
    s.p = ifft(s.E .* fft(s.V .* s.p)) .* s.V;
    m(t) = sum(abs(s.p).^2);
end
r = sum(m) / {n};
"""


def test_passes_with_transforms_are_traced() -> None:
    """However many split steps there are, nothing is fetched in one."""
    with Session(device="gpu") as s:
        for passes in (8, 32):
            s.eval(SPLIT_STEPS.replace("{n}", str(passes)))
            assert s.report is not None
            assert s.report.counters["downloads"] == 0
            assert s["r"] == pytest.approx(28.2, abs=0.2)
