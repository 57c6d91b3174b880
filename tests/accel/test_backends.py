"""A backend is put in by the registry alone: the null backend in place of wgpu's, or beside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.accel.backends import registry
from app.accel.backends.null import NullBackend
from app.accel.backends.registry import Backend
from app.accel.runtime import devices
from app.api import Session
from app.errors import Unsupported, UsageError
from app.settings import Settings
from tests.accel.graphs import Graph

Use = Callable[..., None]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Makes these the only backends there are."""

    def only(*found: Backend) -> None:
        monkeypatch.setattr(registry, "backends", lambda: list(found))

    return only


def test_planner_and_reports_take_whatever_backend_there_is(use: Use) -> None:
    use(NullBackend())
    runtime = devices.runtime(Settings(device="null"))
    g = Graph(runtime)
    runtime.evaluate((g.total(g.sin(g.leaf(np.ones(4096)))),))
    rows = list(runtime.recorder.groups.values())
    assert rows
    assert {row.provider for row in rows} == {"null"}
    assert [info.provider for info in devices.adapters()] == ["null"]
    assert devices.card_count() == 1
    runtime.close()


def test_a_script_runs_on_it(use: Use) -> None:
    use(NullBackend())
    with Session(device="gpu") as session:
        session.eval("x = linspace(0, 1, 1e5); y = sum(sin(x)); disp(y)")
        assert "null" in {group["provider"] for group in session.report.groups}


def test_without_a_backend_the_host_does_everything(use: Use) -> None:
    use()
    assert devices.adapters() == []
    with pytest.raises(UsageError):
        devices.open_asked_for(devices.runtime(Settings(device="null")))


def test_the_first_backend_that_knows_a_name_opens_it(use: Use) -> None:
    class Other(NullBackend):
        name = "other"

    use(NullBackend(), Other())
    assert registry.open_device("other").info.provider == "null"
    with pytest.raises(Unsupported):
        registry.open_device("nobody's")


def test_packages_bring_backends_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def load(self) -> Backend:
            return NullBackend()

    monkeypatch.setattr(registry, "OURS", ())
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point()])
    assert [b.name for b in registry.backends.__wrapped__()] == ["null"]
