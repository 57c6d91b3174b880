"""Commands of the File menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from app import paths
from app.errors import FuselabError
from app.ui.editor.unsaved_dialog import save_as, save_or_ask
from app.ui.shell.actions import FILE, command
from app.ui.shell.panel_catalogue import FIGURES
from app.ui.support import dialog_folder
from app.ui.support.data_files import IMPORTED
from app.ui.support.resources import resource

if TYPE_CHECKING:
    from app.ui.documents.editor_faces import Face
    from app.ui.shell.main_window import MainWindow

_OPENED = "Scripts (*.m *.mlx *.ipynb);;All files (*)"


class FileCommands:
    """New, open, save, close."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @command("file.new", "New Script", menu="File", shortcut="Ctrl+N", icon="new")
    def new(self) -> None:
        """Begin an empty script."""
        self.window.editors.new().setFocus()

    @command("file.template", "New from Template…", menu="File")
    def template(self) -> None:
        """Begin a script, function, class or test that is already laid out."""
        self.window.palettes.choose(
            [
                (path.stem.capitalize(), "template", partial(self._begin, path))
                for path in sorted(resource("templates").glob("*.m"))
            ],
            "Start from a template",
        )

    def _begin(self, path: Path) -> None:
        self.window.editors.new(path.read_text(encoding="utf-8")).setFocus()

    @command("file.open", "Open…", menu="File", shortcut="Ctrl+O", icon="open")
    def open(self) -> None:
        """Open a file."""
        folder = str(self.window.current_folder)
        names, _ = QFileDialog.getOpenFileNames(self.window, "Open", folder, _OPENED)
        for name in names:
            self.window.open_file(Path(name))

    @command("file.open_folder", "Open Folder…", menu="File", shortcut="Ctrl+Shift+O")
    def open_folder(self) -> None:
        """Make a folder the current folder and show its files."""
        folder = str(self.window.current_folder)
        name = QFileDialog.getExistingDirectory(self.window, "Open folder", folder)
        if name:
            self.window.change_folder(Path(name))

    @command("file.import", "Import Data…", menu="File", icon="table")
    def import_data(self) -> None:
        """Take the values of a file into the workspace."""
        from app.ui.shell.dialogs.import_data import import_values

        folder = str(self.window.current_folder)
        name, _ = QFileDialog.getOpenFileName(self.window, "Import Data", folder, IMPORTED)
        if name:
            import_values(self.window, Path(name))

    @command("file.recent", "Open Recent…", menu="File", shortcut="Ctrl+Alt+O", icon="history")
    def recent(self) -> None:
        """Open a file that was open lately."""
        self.window.palettes.recent()

    @command(
        "file.save", "Save", menu="File", shortcut="Ctrl+S", icon="save", separator=True, needs=FILE
    )
    def save(self) -> None:
        """Save the file."""
        editor = self.window.editors.current()
        if editor is not None:
            save_or_ask(self.window, editor, self.window.editors.save, self.window.current_folder)

    @command("file.save_as", "Save As…", menu="File", shortcut="Ctrl+Shift+S", needs=FILE)
    def save_as(self) -> None:
        """Save the file under another name."""
        editor = self.window.editors.current()
        if editor is not None:
            save_as(self.window, editor, self.window.editors.save, self.window.current_folder)

    @command("file.save_all", "Save All", menu="File", shortcut="Ctrl+Alt+S", needs=FILE)
    def save_all(self) -> None:
        """Save every changed file that has a name."""
        for editor in self.window.editors.editors():
            if editor.modified_text and editor.path is not None:
                self.window.editors.save(editor)

    @command(
        "file.export",
        "Export as PDF or HTML…",
        menu="File",
        icon="export",
        separator=True,
        needs=FILE,
    )
    def export(self) -> None:
        """Write the code with its colours to a file for people without Fuselab."""
        from app.ui.editor import code_export

        editor = self.window.editors.current()
        if editor is None:
            return
        face = self.window.documents.of(editor)
        start = str(self.window.current_folder / Path(editor.name).with_suffix(".pdf"))
        if face is not None:
            self._export_document(face, start)
            return
        target = dialog_folder.ask_where(self.window, "Export", start, code_export.FILTERS)
        if target is not None:
            self._export_to(target, lambda: code_export.save(editor, target))

    def _export_document(self, face: Face, start: str) -> None:
        """Write a document with what it shows."""
        from app.ui.documents import export

        target = dialog_folder.ask_where(self.window, "Export", start, export.FILTERS)
        if target is not None:
            self._export_to(target, lambda: export.write(face.view, target))

    def _export_to(self, target: Path, write: Callable[[], object]) -> None:
        try:
            write()
        except (OSError, FuselabError) as problem:
            self.window.notify(str(problem), "error")
        else:
            self.window.notify(f"Exported to {target}")

    @command("file.print", "Print…", menu="File", needs=FILE)
    def print(self) -> None:
        """Print the code with its colours."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        from app.ui.editor import code_export

        editor = self.window.editors.current()
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if editor is not None and QPrintDialog(printer, self.window).exec():
            code_export.put_on_paper(editor, printer)

    @command("file.print_figure", "Print Figure…", menu="File")
    def print_figure(self) -> None:
        """Print the figure in front, as it would be saved."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        dock = self.window.docks.made(FIGURES)
        canvas = None if dock is None else dock.front
        if canvas is None:
            self.window.notify("There is no figure to print")
            return
        from app.ui.plots import figure_export

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if QPrintDialog(printer, self.window).exec():
            figure_export.put_on_paper(canvas, printer)

    @command("file.examples", "Open Example…", menu="File", separator=True)
    def examples(self) -> None:
        """Open your own copy of an example that comes with Fuselab."""
        self.window.palettes.choose(
            [
                (title, name, partial(self.window.welcome.open_example, name))
                for name, title in paths.examples().items()
            ],
            "Open a copy of an example",
        )

    @command("file.live", "Open Live Document…", menu="File")
    def live(self) -> None:
        """Open your own copy of a document that teaches Fuselab."""
        self.window.palettes.choose(
            [
                (title, name, partial(self.window.welcome.open_example, name, "live"))
                for name, title in paths.examples("live").items()
            ],
            "Open a copy of a document",
        )

    @command("file.settings", "Settings…", menu="File", shortcut="Ctrl+,", icon="settings")
    def settings(self) -> None:
        """Change how Fuselab looks and computes."""
        from app.ui.shell.dialogs.preferences import Preferences
        from app.ui.shell.dialogs.shortcuts import ShortcutsPage

        keys = ShortcutsPage(self.window.commands, self.window.store.keep_keys)
        Preferences(self.window, self.window.settings, ("Shortcuts", keys)).open()

    @command("file.close", "Close", menu="File", shortcut="Ctrl+W", separator=True, needs=FILE)
    def close(self) -> None:
        """Close the file, or the second view when the keyboard is there."""
        self.window.editors.close_view()

    @command("file.close_others", "Close Others", menu="File", needs=FILE)
    def close_others(self) -> None:
        """Close all files but the one in front."""
        editors = self.window.editors
        others = [e for e in editors.editors() if e is not editors.current()]
        if not others:
            self.window.notify("No other file is open")
        editors.close_editors(others)

    @command("file.close_all", "Close All", menu="File", needs=FILE)
    def close_all(self) -> None:
        """Close all files."""
        self.window.editors.close_editors(self.window.editors.editors())

    @command("file.quit", "Quit", menu="File", shortcut="Ctrl+Q")
    def quit(self) -> None:
        """Leave Fuselab; everything is there again next time."""
        self.window.close()
