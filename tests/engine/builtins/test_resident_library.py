"""The array library stays on the device with resident data, and `fuselab functions` says so."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.cli.functions import rows
from app.engine.operators import factorisation_forms
from tests.engine.builtins.device_parity import Parity
from tests.engine.builtins.resident_library import FACTORED, ON_HOST, USUAL

SHARE = 0.9
"""Of the library that has to run where the data are."""


@pytest.fixture(scope="module")
def device() -> Iterator[Parity]:
    """The graph computed by an adapter, a software one included."""
    runtime = Runtime(AccelOptions(device="gpu", host_threads=1), open_provider())
    made = Parity(runtime)
    yield made
    runtime.close()
    made.__dict__.clear()  # whoever still holds the fixture holds no device


@pytest.mark.parametrize("name", USUAL)
def test_usual_calls_download_no_array(device: Parity, name: str) -> None:
    for call in USUAL[name]:
        found = device.check_call(name, call)
        assert found.problems == []
        assert found.dispatched, f"{call} downloads an array, or computes it on the host"


@pytest.mark.parametrize("name", FACTORED)
def test_factorisations_download_no_matrix(device: Parity, name: str) -> None:
    with (
        mock.patch.object(factorisation_forms, "LEAST", 4),
        mock.patch.object(factorisation_forms, "PROCESSORS", frozenset[str]()),
    ):
        for call in FACTORED[name]:
            found = device.check_call(name, call)
            assert found.problems == []
            assert found.dispatched, f"{call} downloads a matrix, or factors it on the host"


@pytest.mark.parametrize(
    "call",
    [
        "svd(L * NaN)",
        "svd([L; L / 0])",
        "svd(1e200 * L)",
        "svd(1e-200 * L)",
        "svd(0 * L)",
        "svd(L + 1i)",
        "svd(zeros(0, 3))",
        "svd(int8(L))",
        "svd(L, 'wrong')",
        "pinv(L / 0)",
        "pinv(0 * L)",
        "pinv(L * 1i)",
        "pinv(zeros(0, 3))",
        "pinv(L > 0)",
        "pinv(L, NaN)",
    ],
)
def test_what_no_card_factors_is_the_hosts(device: Parity, call: str) -> None:
    with (
        mock.patch.object(factorisation_forms, "LEAST", 4),
        mock.patch.object(factorisation_forms, "PROCESSORS", frozenset[str]()),
    ):
        assert device.check_call(call[:3], call).problems == []


def test_most_functions_stay_on_the_device() -> None:
    there = {*USUAL, *FACTORED}
    assert not there & set(ON_HOST)
    assert len(there) >= SHARE * (len(there) + len(ON_HOST))
    assert all(ON_HOST.values())


def test_the_listing_tells_the_same() -> None:
    on_device = {row["name"]: row["device"] for row in rows()}
    assert [n for n in (*USUAL, *FACTORED) if not on_device[n]] == []
    assert [n for n in ON_HOST if on_device[n]] == []
