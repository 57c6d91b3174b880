"""On the device: panels that tell one quantity tell one number, and Stop answers at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desk.desk import Desk, Screen

CODE = """\
x = rand(300000, 1, 'single');
y = sin(x) .* x + 0.5;
disp(mean(y, 'all'));
z = cumsum(y);
kept = double(z(1:100000));
disp(sum(kept));
histogram(y, 20);
"""
TRACK = "sum(span[3] for span in window.run_model.spans if span[0] == {!r}) / 1000"
LOOP = "x = rand(500); for i = 1:1e5, x = sin(x)*x; end\n"
MOVED = "sum(t.ms for t in window.run_model.transfers if t.direction == {!r})"


@pytest.fixture(scope="module")
def on_device(screen: Screen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A window whose scripts run on the adapter."""
    desk = Desk(screen, tmp_path_factory.mktemp("device"), more={"FUSELAB_DEVICE": "gpu"})
    yield desk
    broke = desk.crashes()
    desk.close()
    assert not broke


def test_timeline_transfers_and_report_agree(on_device: Desk) -> None:
    desk = on_device
    desk.open(CODE)
    for _ in range(3):  # with kernels compiled, from memory, and from the disk
        desk.to_editor()
        desk.key("F5")
        desk.wait("state() == 'IDLE' and window.run_model.status == 'ok'", 120)
        counters = desk.ask("window.run_model.counters")
        for track, name in (
            ("Download", "download_ms"),
            ("Upload", "upload_ms"),
            ("Compile", "compile_ms"),
            ("Device", "device_ms"),
        ):
            told = counters.get(name) or 0.0
            assert desk.ask(TRACK.format(track)) == pytest.approx(told, abs=0.01), track
        assert desk.ask(MOVED.format("down")) == pytest.approx(counters["download_ms"], abs=0.01)
        assert desk.ask(MOVED.format("up")) == pytest.approx(counters["upload_ms"] or 0.0, abs=0.01)
        kernels = desk.ask("[k.device_ms or 0.0 for k in window.run_model.kernels.values()]")
        assert sum(kernels) == pytest.approx(counters["device_ms"], rel=1e-6)
        wall = desk.ask("window.run_model.wall_ms")
        assert counters["download_ms"] <= wall
        desk.ask("window.run_model.__setattr__('status', '')")


def test_a_loop_on_the_device_stops_at_once_and_says_so(on_device: Desk) -> None:
    desk = on_device
    desk.open(LOOP, "loop.m")
    desk.to_editor()
    desk.key("F5")
    desk.wait("'waiting for GPU' in window.status._state.text()")
    desk.ask(
        "window.run_model.bridge.stopping.connect(lambda: heard.append(window.status._state.text()))"
    )
    desk.click("window.command_window.input", (0.6, 0.5))
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'")  # the loop would take a quarter of an hour
    assert desk.ask("heard")[-1].startswith("● stopping")
    desk.run("disp(6*7)")  # on the host, although the device is still at work
    assert "42" in desk.ask("output()")
    memory = "int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e9"
    assert desk.ask(memory) < 1.5


def test_a_pointer_over_a_value_that_waits_computes_nothing(on_device: Desk) -> None:
    desk = on_device
    desk.run("clear; base = rand(1500, 'single');")
    desk.run("later = sin(base) + 1;")
    where = "[v.where for v in window.run_model.variables if v.name == 'later']"
    desk.wait(f"{where} == ['lazy']")
    desk.open("y = later;\n", "hover.m")
    desk.to_editor()
    spot = "(lambda r: [r.x() + 6, r.y() + 6])(editor().place_on_screen(5))"
    desk.point(*desk.ask(spot))
    tip = "__import__('PySide6.QtWidgets', fromlist=['x']).QToolTip"
    desk.wait(f"{tip}.isVisible() and '1500' in {tip}.text()")
    desk.never(f"{where} != ['lazy']")


def test_a_time_above_the_roof_is_remarked(desk: Desk) -> None:
    import_row = "__import__('app.ui.panels.kernels', fromlist=['x'])"
    made = "__import__('types').SimpleNamespace"
    row = f"{made}(kernel={made}(device_ms=10.0), bytes=2e9, peak=3.6e9, kind='')"
    text = f"[c for c in {import_row}.KERNEL_COLUMNS if c.title == 'Bandwidth'][0].text({row})"
    assert desk.ask(text).endswith("(!)")
    assert not desk.ask(text.replace("10.0", "1000.0")).endswith("(!)")
