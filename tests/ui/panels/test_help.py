"""Help pages: found by name, examples run at a click, related pages open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from app.engine.session import language_service
from app.ui.language_client.client import LanguageClient
from app.ui.panels.help import HelpPanel, page_html
from app.ui.panels.panel import Context


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[HelpPanel]:
    """The help panel with its index loaded."""
    client = LanguageClient()
    panel = HelpPanel(context, client)
    qtbot.addWidget(panel)
    panel.show()
    failures: list[str] = []
    client.failed.connect(failures.append)
    try:
        qtbot.waitUntil(lambda: bool(failures or panel._index))
        assert not failures
        assert len(panel._index) > 100
        yield panel
    finally:
        client.close()


def test_pages_open_search_and_go_back(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.open("cumsum")
    qtbot.waitUntil(lambda: "Running sum" in panel.page.toPlainText())
    assert "Runs on the GPU" in panel.page.toPlainText()
    panel._on_link(QUrl("see:sum"))
    qtbot.waitUntil(lambda: panel.page.toPlainText().startswith("sum"))
    panel.back()
    qtbot.waitUntil(lambda: panel.page.toPlainText().startswith("cumsum"))
    panel.field.setText("fft")
    assert "ifft" in panel.page.toPlainText()


def test_examples_run_at_a_click(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.open("cumsum")
    qtbot.waitUntil(lambda: panel._shown is not None)
    ran: list[str] = []
    panel._context = Context(
        panel._context.run_model,
        panel._context.bridge,
        lambda _f, _l: None,
        ran.append,
        print,
        lambda _folder: True,
    )
    panel._on_link(QUrl("try:0"))
    assert ran == ["isequal(cumsum([1 2 3]), [1 3 6])"]


def test_names_from_scripts_are_shown_as_text() -> None:
    page = language_service.HelpPage("a<b", "x", ("y = f(<x>)",), "``a<b``", (), (), False, "no")
    html = page_html(page)
    assert "<x>" not in html
    assert "&lt;x&gt;" in html
