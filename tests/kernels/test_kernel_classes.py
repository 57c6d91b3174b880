"""Convolutions of every class of matrix and kernel: the host's answers, and what stays resident."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.api import Session

CALLS = (
    "conv2(x, k)",
    "conv2(x, k, 'same')",
    "filter2(k, x)",
    "imfilter(x, k)",
    "conv(v, w)",
    "filter(w, 1, v)",
)


@pytest.mark.parametrize("taps", [3, 7])
def test_classes_and_places_of_kernels(taps: int) -> None:
    with Session(device="cpu") as host, Session(device="gpu") as device:
        for x, k in itertools.product(("single", "double"), repeat=2):
            for call, place in itertools.product(CALLS, ("", "k = gpuArray(k); w = gpuArray(w);")):
                code = (
                    f"x = {x}(reshape(mod((1:6000)*7, 101), 75, 80)); v = x(:);"
                    f"k = {k}(magic({taps})) / 7; w = k(:, 1); {place} y = {call};"
                )
                found = []
                for session in (host, device):
                    session.eval(code)
                    found.append(np.asarray(session["y"]))
                assert found[0].dtype == found[1].dtype, code
                exact = 1e-13 if found[0].dtype == np.float64 else 1e-5
                assert np.allclose(*found, rtol=exact, atol=exact * 1e3), code


def test_a_single_kernel_fetches_nothing() -> None:
    with Session(device="gpu") as s:
        s.eval(
            "x = rand(200, 'single'); k = ones(3, 'single')/9; disp(sum(conv2(x, k), 'all') > 0)"
        )
        assert s.report is not None
        assert s.report.counters["download_bytes"] == 1
