"""What a run makes is brought into view: output and figures, once per run, never the keyboard,
which only a question gets, unless somebody writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView

from app.engine import protocol
from app.ui.editor.surface import Surface
from app.ui.shell.panel_catalogue import FIGURES, TESTS

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

NEWS = "●"
"""On the tab of a panel that has news and stays behind, because somebody writes in front of it."""


class Reveal(QObject):
    """Brings the panel out that shows what a run has made, where nobody could see it.

    Whoever turns to another panel afterwards keeps it for the rest of the run.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shown: set[str] = set()
        self._noted: set[str] = set()
        self._written = _keyboard_state()
        self._lengths: dict[Surface, int] = {}
        window.bridge.posted.connect(self._on_posted)
        window.run_model.run_started.connect(self._begin)
        window.docks.front_changed.connect(self._forget_seen)
        window.bridge.subscribe(protocol.OutputText, self._on_output)
        window.bridge.subscribe(protocol.ErrorRaised, self._on_error)
        window.bridge.subscribe(protocol.FigureUpdated, self._on_figure)

    def _begin(self) -> None:
        self._shown.clear()
        self._written = _keyboard_state()

    def is_somebody_writing(self) -> bool:
        """Whether something was typed, or the keyboard went elsewhere, since the run began."""
        return _keyboard_state() != self._written

    def _on_posted(self, request: object) -> None:
        if isinstance(request, protocol.RunText | protocol.DebugCommand):
            self._lengths = {view: view.length() for view in self._texts()}

    def _texts(self) -> list[Surface]:
        """Where code is written."""
        prompt = self._window.docks.made("command")
        inputs = [] if prompt is None else [self._window.command_window.input]
        return [*inputs, *self._window.editors.editors()]

    def show_place(self, file: str, line: int) -> None:
        """Show where a script stands; the keyboard stays at the prompt, if that asks what to do."""
        focus = QApplication.focusWidget()
        prompt = self._window.docks.made("command")
        self._window.open_location(file, line)
        if prompt is not None and focus is self._window.command_window.input:
            focus.setFocus()

    def is_written_beside(self, editor: Surface | None) -> bool:
        """Whether somebody writes another text since a script was told to run, or to go on: one
        that has changed, or was begun."""
        focus = QApplication.focusWidget()
        if not isinstance(focus, Surface) or focus is editor or focus not in self._texts():
            return False
        return bool(self._lengths) and focus.length() != self._lengths.get(focus)

    def _on_output(self, event: protocol.OutputText) -> None:
        if event.text.strip() and not event.line and not self._measuring():
            self.bring("command")

    def _on_error(self, _event: protocol.ErrorRaised) -> None:
        if self._in_place():
            return
        if not self._window.docks.is_seen("problems"):
            self.bring("command")

    def _in_place(self) -> bool:
        """Whether a document shows what the run makes."""
        face = self._window.documents.current()
        return face is not None and face.runs.busy

    def _on_figure(self, event: protocol.FigureUpdated) -> None:
        new = self._window.docks.made("figures") is None
        if not self._measuring() and not self._in_place():
            self.bring("figures")
        if new:
            self._window.docks.widget(FIGURES).handle_event(event)

    def _measuring(self) -> bool:
        """Whether the panel that is wanted is the summary or the tests, not what is printed."""
        tests = self._window.docks.made(TESTS)
        running = tests is not None and tests.running()
        return running or self._window.comparison.active or self._window.scaling.active

    def bring(self, panel: str) -> None:
        """Show a panel that cannot be seen, unless this run did so before."""
        docks = self._window.docks
        if panel in self._shown or docks.is_seen(panel):
            return
        self._shown.add(panel)
        covering = docks.covering(panel)
        focus = QApplication.focusWidget()
        inside = covering is not None and focus is not None and covering.isAncestorOf(focus)
        if inside and _is_written_in(focus):
            self._noted.add(panel)
            docks.annotate(panel, NEWS)
            return
        docks.show_panel(panel)
        editor = self._window.editors.focused()
        if inside and editor is not None:  # a panel behind another one cannot keep the keyboard
            editor.setFocus()

    def _forget_seen(self) -> None:
        for panel in [panel for panel in self._noted if self._window.docks.is_seen(panel)]:
            self._noted.discard(panel)
            self._window.docks.annotate(panel, "")


def _keyboard_state() -> tuple[object, object]:
    """Who has the keyboard, and what was typed there (of a long text how long it is)."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QLineEdit):
        return focus, focus.text()
    return focus, focus.length() if isinstance(focus, Surface) else None


def _is_written_in(widget: object) -> bool:
    """Whether keys that are typed there leave something behind."""
    if isinstance(widget, Surface):
        return not widget.readOnly()
    return isinstance(widget, QLineEdit | QTableView)
