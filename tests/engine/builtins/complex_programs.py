"""Programs over complex arrays, run on the graph and array by array."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.capture.capture_session import Session
from app.engine.values import DeviceArray, as_array
from tests.engine.interpreter.running import Machine

SMOOTH = (
    "n = 2000; t = linspace(-2, 2, n); z = complex(t, cos(3*t)); w = complex(sin(5*t), t);"
    " s = single(z);"
)
SPECIAL = (
    "v = [NaN Inf -Inf 0 -0 0.5 -0.5 1 -1 2 1e300 1e-300 -1e300]; [A, B] = meshgrid(v);"
    " z = complex(A(:), B(:)); w = z(end:-1:1); t = A(:); s = single(z);"
)
BOTH = [
    "a = z + w; b = z - 2; c = 2 - z; d = z + t;",
    "a = z .* w; b = z .* t; c = t .* z;",
    "a = z ./ w; b = z ./ t; c = t ./ z; d = z / 2;",
    "a = z * (1 + 2i); b = t * 2i;",
    "a = abs(z); b = angle(z); c = real(z); d = imag(z); e = conj(z);",
    "a = exp(z);",
    "a = log(z);",
    "a = sqrt(z);",
    "a = -z; b = z'; c = z.';",
    "a = z == w; b = z ~= z; c = z < w; d = z > 0.5;",
    "a = isnan(z); b = isinf(z); c = isfinite(z); d = floor(z); e = round(z);",
    "a = s .* z; b = s + s; c = abs(s); d = s ./ single(2);",
]
ONLY_SMOOTH = [
    "a = sum(z); b = mean(z); c = prod(z(1:50)); d = sum(reshape(z, 40, 50), 2);",
    "a = z .* conj(z); b = isreal(a); c = sqrt(a); d = isreal(z); e = iscomplex(z + 1);",
    "a = z(1:10); b = z(5); c = z(1:2:end) + 1; z(3) = 5; d = z;",
    "a = [z w]; b = reshape(z, 40, 50) * 2; c = max(abs(z)); d = repmat(z, 3, 1) + 1;",
    "a = z .^ 3; b = z .^ -1; c = (z + 3) .^ w; d = z .^ 0.5; e = s .^ 2;",
    "a = max(z); b = min(reshape(z, 40, 50), [], 2); c = max(s, [], 'all'); d = cumsum(z);"
    " e = cumprod(z / 3);",
    "A = reshape(z, 40, 50); B = reshape(t, 50, 40); a = A * A.';"
    " b = A * B; c = B * A; d = A * A'; e = single(A) * B;",
    "a = z .^ 2; b = exp(1i * pi * t); c = abs(b); d = z * z'; e = z.' * w;",
    "y = sqrt(t); a = y'; b = y.'; c = y .* z;",
    "for k = 1:20, z = z .* exp(0.1i); end, a = z;",
    "a = complex(t, 0); b = isreal(a); c = isreal(a * 1);",
    "a = norm(z); b = cumsum(z);",
    "a = fftshift(z); b = circshift(reshape(z, 40, 50), 3); c = rot90(reshape(z, 40, 50));"
    " d = triu(reshape(z, 40, 50)); e = trace(reshape(z(1:1600), 40, 40));",
    "a = [z t]; b = [1, z]; c = cat(3, s, s); d = [t; z]; e = [z(1:500) 2 s];",
    "z(1) = 3; a = z; z(100:200) = 0; b = z; z(2:1000) = 2 * z(2:1000); c = z; z(7:9) = t(7:9);"
    " d = z; s(5:900) = 1i; e = s;",
    "a = diff(z); b = diff(reshape(s, 40, 50), 2, 2); c = nnz(z); d = any(reshape(z, 40, 50));"
    " e = all(z == z);",
    "a = norm(z); b = norm(z, 1); c = norm(z, Inf); d = norm(reshape(z, 40, 50), 'fro');"
    " e = norm(s);",
    "a = dot(z, w); b = dot(z, t + 1); c = dot(t + 1, z); d = dot(reshape(z, 40, 50), reshape(w, 40, 50));"
    " e = dot(s, s);",
    "z([3 4 9]) = 0; a = z; z(z == 0) = 1i; b = z; z(end + 1) = 2; c = z; z(5) = []; d = z;",
    "a = z .* true; b = fft(t); c = abs(b) .^ 2; d = real(ifft(b .* conj(b)));",
]


def values(program: str) -> dict[str, Any]:
    """What the variables a to e are after a program."""
    machine = Machine(Session.runtime)
    machine.run(program)
    held = machine.interpreter.workspace
    return {n: as_array(held[n]) for n in "abcde" if n in held}


def plain(program: str) -> dict[str, Any]:
    """The same without a graph."""
    kept, Session.runtime = Session.runtime, None
    try:
        return values(program)
    finally:
        Session.runtime = kept


def check(program: str) -> None:
    """Equal classes, sizes and numbers."""
    found, expected = values(program), plain(program)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        got = found[name]
        assert (got.dtype, got.shape) == (value.dtype, value.shape), name
        rtol = 1e-5 if value.dtype in (np.float32, np.complex64) else 1e-12
        for part in ("real", "imag"):
            np.testing.assert_allclose(
                getattr(got, part),
                getattr(value, part),
                rtol,
                100 * rtol if program.startswith(SMOOTH) else 0.0,
                err_msg=name,
            )


def stays_lazy(program: str) -> bool:
    """Whether the variable ``a`` is a lazy array of a complex node."""
    machine = Machine(Session.runtime)
    machine.run(program)
    a = machine.interpreter.workspace["a"]
    return type(a) is DeviceArray and bool(a.node.dtype.is_complex)
