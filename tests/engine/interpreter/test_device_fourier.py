"""Transforms of arrays on the device: the host's values and kinds, and nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from tests.engine.builtins.engine_session import Session

DATA = "rng(1); h = randn(1024, 3); c = complex(h, 2 * h); A = randn(64, 48);"
CALLS = [
    ("fft(h)", 0),
    ("fft(h, 2000)", 0),
    ("fft(h, 600)", 0),
    ("fft(c, [], 2)", 0),
    ("ifft(c)", 1),
    ("ifft(fft(h))", 0),
    ("ifft(fft(h), 'symmetric')", 0),
    ("fft2(A)", 0),
    ("ifft2(fft2(A))", 0),
    ("ifft2(fft2(A) * (1 + 1i), 'symmetric')", 0),
    ("ifftn(fftn(A) * (1 + 1i), 'symmetric')", 0),
    ("fftn(A)", 0),
    ("abs(fft(h)).^2", 0),
    ("fft(single(h))", 0),
    ("real(ifft(c))", 0),
    ("real(ifft2(fft2(A) .* (1:48)))", 0),
    ("abs(ifft2(fft2(A) .* (1:48)))", 0),
    ("ifft2(fft2(A) .* (1:48)) + 1", 1),
]
"""Calls and the bytes that may be fetched: whether a spectrum is symmetric."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    provider = open_provider()
    made = Runtime(AccelOptions(device="gpu"), provider)
    yield made
    made.close()


@pytest.mark.parametrize(("call", "fetched"), CALLS)
def test_transform(runtime: Runtime, call: str, fetched: int) -> None:
    session = Session()
    session.run(DATA)
    capture_session.deactivate()
    session.run(f"e = {call};")
    capture_session.activate(runtime, 512)
    try:
        session.run("h = gpuArray(h); c = gpuArray(c); A = gpuArray(A);")
        before = runtime.recorder.counters.download_bytes
        session.run(f"d = {call};")
        runtime.evaluate([session.value("d").node])
        assert runtime.recorder.counters.download_bytes - before == fetched
        assert runtime.recorder.counters.fallbacks == 0
        session.run("d = gather(d); clear h c A")
    finally:
        capture_session.deactivate()
    assert session.holds("isequal(size(d), size(e)) && strcmp(class(d), class(e))")
    assert session.holds("isreal(d) == isreal(e)")
    scale = "1e-5" if "single" in call else "1e-12"
    assert session.holds(f"max(abs(d(:) - e(:))) <= {scale} * max(abs(e(:)))")


CONSUMERS = {
    "its class": "class(gather(B))",
    "its size": "size(B)",
    "whether it is real": "[isreal(B), isreal(B)]",
    "both parts": "[real(B), imag(B)]",
    "an order": "max(B(:))",
    "an element": "B(3, 2)",
    "arithmetic": "2 * B.^2 - B'",
    "in a cell": "cellfun(@isreal, {B, real(B)})",
    "a function": "sum(feval(@(z) abs(z) + real(z), B), 'all')",
    "a part assigned": "[B(1:3, 1:3); ones(1, 3)]",
}
SPECTRA = {
    "symmetric": "S = fft2(A); S(1:2:end, :) = S(1:2:end, :) * 0 + 3;",
    "not symmetric": "S = fft2(A); S(2, 3) = 1i;",
    "not a number": "S = fft2(A); S(2, 3) = NaN;",
}


@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_what_may_be_real_is_what_it_is_on_the_host(
    runtime: Runtime, consumer: str, spectrum: str
) -> None:
    session = Session()
    session.run("A = reshape(mod((1:1024)' * 0.618, 1), 32, 32);")
    text = f"{SPECTRA[spectrum]} B = ifft2(S); C = B; %s = {CONSUMERS[consumer]};"
    capture_session.deactivate()
    session.run(text % "e")
    capture_session.activate(runtime, 512)
    try:
        session.run("A = gpuArray(A);")
        session.run(text % "d")
        session.run("d = gather(d); B = gather(B); C = gather(C); clear A S")
    finally:
        capture_session.deactivate()
    assert session.holds("isequal(B, C, B) || any(isnan(B(:)))")
    assert session.holds("isreal(d) == isreal(e) && strcmp(class(d), class(e))")
    assert session.holds("isequal(size(d), size(e))")
    assert session.holds("all(abs(double(d(:)) - double(e(:))) < 1e-12 | isnan(d(:) + e(:)))")


@pytest.mark.parametrize("number", ["NaN", "Inf", "-Inf", "[NaN Inf]"])
@pytest.mark.parametrize(
    "spectrum",
    [
        "ifft(fft(A))",
        "ifft2(fft2(A))",
        "ifft(fft(A) .* 2)",
        "ifft(fft(A) + 0 * fft(A(:, end:-1:1)))",
        "ifft(complex(real(fft(A)), imag(fft(A))))",
        "ifft(fft(complex(A, 1)))",
        "ifft([fft(A(:, 1:2)), fft(A(:, 3:32)) * 1i])",
        "ifft(cos(fft(A)))",
    ],
)
def test_spectra_with_nan_have_the_hosts_kind(runtime: Runtime, spectrum: str, number: str) -> None:
    session = Session()
    session.run("A = reshape(mod((1:1024)' * 0.618, 1), 32, 32);")
    session.run(f"n = {number}; A((1:numel(n)) * 65) = n;")
    capture_session.deactivate()
    session.run(f"e = {spectrum};")
    capture_session.activate(runtime, 512)
    try:
        session.run(f"A = gpuArray(A); d = {spectrum}; d = gather(d); clear A")
    finally:
        capture_session.deactivate()
    assert session.holds("isreal(d) == isreal(e)")
    if spectrum.startswith(("ifft(fft(A", "ifft2")):
        assert session.holds("isreal(d)")
