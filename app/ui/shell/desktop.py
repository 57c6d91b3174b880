"""What scripts ask of the window: files to edit, panels to show, dialogs beside their work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.engine.protocol import OpenFile, ShowPanel
from app.paths import is_file
from app.ui.shell.dialogs.import_data import import_values
from app.ui.shell.panel_catalogue import COMMAND, HELP, VARIABLES
from app.ui.shell.script_dialogs import ScriptDialogs

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


_DIALOGS = {"settings": "file.settings", "examples": "file.examples", "import": "file.import"}
"""The commands that open what is no panel."""


class DesktopRequests(QObject):
    """Does what ``edit``, ``open``, ``openvar``, ``workspace``, ``doc`` … ask for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.bridge.subscribe(OpenFile, self._on_open_file)
        window.bridge.subscribe(ShowPanel, self._on_show_panel)
        self.dialogs = ScriptDialogs(window, window.bridge, lambda: window.run_model.busy)

    def _on_open_file(self, event: OpenFile) -> None:
        window, path = self._window, Path(event.file)
        if not event.file:
            window.editors.new().setFocus()
        elif event.line:
            window.open_location(event.file, event.line)
        elif is_file(path):
            window.open_file(path)
        else:
            window.editors.new_at(path).setFocus()

    def _on_show_panel(self, event: ShowPanel) -> None:
        window = self._window
        if event.panel in _DIALOGS and not event.argument:
            window.commands.run(_DIALOGS[event.panel])
            return
        if event.panel == "import":
            import_values(window, Path(event.argument))
            return
        window.docks.show_panel(event.panel)
        if event.panel == COMMAND:
            window.to_command_window()
        elif event.panel == VARIABLES:
            window.docks.widget(VARIABLES).open_variable(event.argument)
        elif event.panel == HELP and event.search:
            window.docks.widget(HELP).search(event.search)
        elif event.panel == HELP and event.argument not in ("", "doc"):
            window.docks.widget(HELP).open(event.argument)
