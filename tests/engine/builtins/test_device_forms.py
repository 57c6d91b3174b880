"""Every builtin that claims a form for the device has one, with the host's answers."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from app.accel.backends.device_opening import Opening
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.engine.declarations import registry
from app.engine.declarations.registry import Builtin
from tests.engine.builtins.device_parity import ALL, Parity, is_resident_form

SAMPLE = {
    "sec",
    "rot90",
    "trapz",
    "normalize",
    "conv2",
    "bitget",
    "normpdf",
    "hann",
    "rgb2hsv",
    "movmean",
}
BY_NAME = {b.name: b for b in ALL}
NAMED = [pytest.param(b, id=b.name) for b in ALL if not is_resident_form(b)]
SOME = [pytest.param(b, id=b.name) for b in ALL if b.name in SAMPLE or is_resident_form(b)]


@pytest.fixture(scope="module")
def host() -> Iterator[Parity]:
    """The graph computed by the host's provider."""
    runtime = Runtime(AccelOptions(device="cpu", host_threads=1))
    made = Parity(runtime)
    for name in ("hann", "barthannwin"):  # its threads start here, not in a test
        made.check(BY_NAME[name])
    with mock.patch.object(Opening, "may_give_card", new=True):  # or the library transforms at once
        yield made
    runtime.close()


@pytest.fixture(scope="module")
def device() -> Iterator[Parity]:
    """The graph computed by an adapter, a software one included."""
    from app.accel.backends.wgpu import open_provider

    opened = open_provider()
    runtime = Runtime(AccelOptions(device="gpu", host_threads=1), opened)
    made = Parity(runtime)
    yield made
    runtime.close()
    made.__dict__.clear()  # whoever still holds the fixture holds no device


@pytest.mark.parametrize("builtin", NAMED)
def test_is_captured_and_agrees_with_the_host(host: Parity, builtin: Builtin) -> None:
    found = host.check(builtin)
    assert found.problems == []
    assert found.captured, "no call was captured"


@pytest.mark.parametrize("builtin", SOME)
def test_some_run_on_the_device_and_all_of_resident_data(device: Parity, builtin: Builtin) -> None:
    found = device.check(builtin)
    assert found.problems == []
    assert found.dispatched, "no call ran on the device without a download"


def test_there_are_many() -> None:
    assert len(ALL) >= 250


def test_all_others_say_why_they_stay_on_the_host() -> None:
    reasons = {b.name: b.device.reason for b in registry.load_all().values() if b.device.reason}
    assert [n for n, r in reasons.items() if len(r.split()) < 3 or "family" in r] == []
