"""What a person does with the GPU panels after a live run: hold, fetch, follow, clear, export."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app import paths
from app.ui.editor.marks import Indicator
from app.ui.panels.kernels import stored_kernels
from app.ui.plots.series_item import DeviceItem
from app.ui.widgets.panel_parts import IconButton
from tests.faults.device_faults import Faults
from tests.stories.conftest import Open
from tests.support.adapters import require_adapter
from tests.support.live_run import live
from tests.support.window import marked_lines, run, shown


def press(panel: object, begin: str) -> None:
    """Press the small button whose tip begins so."""
    buttons = panel.findChildren(IconButton)  # type: ignore[attr-defined]
    next(b for b in buttons if b.toolTip().startswith(begin)).click()


def test_a_value_is_pinned_gathered_and_followed(open_window: Open, qtbot: QtBot) -> None:
    window = live(open_window, qtbot)
    panel = shown(window, qtbot, "residency")
    rows = window.run_model.residency
    panel.table.select("y")
    assert rows["y"].where == "device"
    press(panel, "Pin")
    qtbot.waitUntil(lambda: window.run_model.residency["y"].pins == 1)
    press(panel, "Pin")
    qtbot.waitUntil(lambda: window.run_model.residency["y"].pins == 0)
    press(panel, "Gather")
    qtbot.waitUntil(lambda: window.run_model.residency["y"].where == "both")
    timeline = shown(window, qtbot, "timeline")
    window.variable_highlight.follow("y")
    assert marked_lines(window, Indicator.WRITTEN) == [2]
    assert marked_lines(window, Indicator.READ) == [3, 7]
    assert panel.chart._followed == "y"
    lit = timeline.view.lit
    assert 0 < len(lit["Device"].spans) <= len(timeline.view.tracks["Device"].spans)
    assert {span.line for span in lit["Script"].spans} <= {2, 3, 7}


def test_what_no_variable_has_is_listed_with_its_owner(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "x = rand(2e5, 1, 'single');\ny = x .* 2;\nplot(y);\nc = {gpuArray(y + 1)};\nclear y\n",
        device="gpu",
    )
    run(window, qtbot)
    require_adapter(window.run_model.device.features)
    panel = shown(window, qtbot, "residency")
    owners = {row.value.owner for row in panel.model.rows if row.value.bytes == 800_000}
    assert owners >= {"variable", "figure", "value"}
    texts = [panel.model.index(n, 0).data() for n in range(panel.model.rowCount())]
    panel.table.selectRow(texts.index("(figure)"))
    press(panel, "Evict")
    assert "A figure draws from it" in window.status._notice.text()


def test_kernels_on_disk_are_counted_and_cleared(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    kept = paths.cache_dir() / "kernels" / "an adapter" / "kept"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(bytes(2048))  # as an earlier session left it
    window = live(open_window, qtbot)
    panel = shown(window, qtbot, "kernels")
    count = len(stored_kernels())
    assert panel.stored.text().startswith(f"{count} on disk, ")
    press(panel, "Delete")
    assert not kept.exists()
    assert stored_kernels() == []
    assert panel.stored.text().startswith("0 on disk")
    assert panel.roofline.isVisible()
    fusion = shown(window, qtbot, "fusion")
    fusion.kernel.copy_button.click()
    fusion.export(fusion.table.selected(), tmp_path / "group.svg")
    assert "<svg" in (tmp_path / "group.svg").read_text()


def test_figures_of_a_lost_device_are_drawn_again(
    open_window: Open, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    faults = Faults()
    with faults.installed():
        window = open_window(
            "x = gpuArray(linspace(0, 10, 2e5));\nplot(x, sin(x));\n", device="gpu"
        )
        run(window, qtbot)
        require_adapter(window.run_model.device.features)
        window.docks.show_panel("figures")
        panel = window.panel("figures").panel

        def pictures() -> list[DeviceItem]:
            axes = panel.canvases[1].figure.axes.values() if 1 in panel.canvases else ()
            return [item for one in axes for item in one.device_items]

        def picture() -> DeviceItem:
            (item,) = pictures()
            return item

        qtbot.waitUntil(lambda: len(pictures()) == 1)
        qtbot.waitUntil(lambda: picture().frame is not None)
        before = picture().frame
        faults.providers[-1].native_device.destroy()
        panel.canvases[1].resize(panel.canvases[1].width() - 40, 200)
        panel.canvases[1].repaint()
        qtbot.waitUntil(lambda: len(faults.providers) == 2)
        qtbot.waitUntil(lambda: picture().frame is not before)
        assert not picture()._request.failure
