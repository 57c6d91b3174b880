"""Stop answers at once, whatever is queued, and the window says what it waits for."""

from __future__ import annotations

import time

from tests.desk.conftest import Start

CODE = "x = rand(1200); for i = 1:1e5, x = sin(x)*x; end\n"


def test_a_loop_on_the_device_stops_at_once_and_says_so(start: Start) -> None:
    desk = start(FUSELAB_DEVICE="gpu")
    desk.open(CODE)
    desk.to_editor()
    desk.key("F5")
    desk.wait("'waiting for GPU' in window.status._state.text()")
    desk.ask(
        "window.run_model.bridge.stopping.connect(lambda: heard.append(window.status._state.text()))"
    )
    desk.click("window.command_window.input", (0.6, 0.5))
    began = time.monotonic()
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'", 5)
    assert time.monotonic() - began < 2.0  # it is milliseconds; the machine may be busy
    assert desk.ask("heard")[-1].startswith("● stopping")
    desk.run("disp(6*7)")  # on the host, although the device is still at work
    assert "42" in desk.ask("output()")
    memory = "int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e9"
    assert desk.ask(memory) < 1.5
