"""Commands of the View and Help menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog

from app.ui.editor import folding
from app.ui.editor.surface import Surface
from app.ui.shell.actions import FILE, command
from app.ui.shell.commands.code import NO_NAME
from app.ui.support.theme import theme

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


class ViewCommands:
    """Palette, layouts, theme, zoom, tabs, help."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @command(
        "view.palette", "Command Palette…", menu="View", shortcut="Ctrl+Shift+P", icon="palette"
    )
    def palette(self) -> None:
        """Find any command by a few letters."""
        self.window.palettes.commands()

    @command("view.files", "Go to File…", menu="View", shortcut="Ctrl+P", icon="find")
    def files(self) -> None:
        """Open a file of the current folder by a few letters."""
        self.window.palettes.files()

    @command("view.layout_classic", "Classic", menu="View/Layout", shortcut="Ctrl+1")
    def classic(self) -> None:
        """Files, editor, command window, workspace."""
        self.window.use_layout("classic")

    @command("view.layout_gpu", "GPU", menu="View/Layout", shortcut="Ctrl+2")
    def gpu(self) -> None:
        """Groups, kernels and transfers below the editor."""
        self.window.use_layout("gpu")

    @command("view.layout_debug", "Debug", menu="View/Layout", shortcut="Ctrl+3")
    def debug(self) -> None:
        """Call stack and breakpoints beside the editor."""
        self.window.use_layout("debug")

    @command("view.layout_focus", "Focus", menu="View/Layout", shortcut="Ctrl+4")
    def focus(self) -> None:
        """Only the editor."""
        self.window.use_layout("focus")

    @command("view.save_layout", "Save Layout As…", menu="View/Layout", separator=True)
    def save_layout(self) -> None:
        """Keep the arrangement of the panels under a name of your own."""
        name, fine = QInputDialog.getText(self.window, "Save layout", "Name of the layout")
        if fine and name.strip():
            self.window.store.save_layout(name.strip(), self.window.docks.save())

    @command("view.own_layouts", "Own Layouts…", menu="View/Layout", shortcut="Ctrl+5")
    def own_layouts(self) -> None:
        """Choose an arrangement that you have saved."""
        self.window.palettes.layouts()

    @command("view.reset_layout", "Reset Layout", menu="View/Layout", separator=True)
    def reset(self) -> None:
        """Arrange the panels as they were shipped."""
        self.window.use_layout(self.window.layout_name, fresh=True)

    @command("view.theme", "Switch Theme", menu="View", icon="moon", separator=True)
    def switch_theme(self) -> None:
        """Light or dark."""
        self.window.use_theme("light" if theme().dark else "dark")

    @command("view.theme_system", "Theme of the System", menu="View")
    def system_theme(self) -> None:
        """Follow the desktop's own setting."""
        self.window.use_theme("system")

    @command(
        "view.zoom_in", "Larger Text", menu="View", shortcut="Ctrl++", separator=True, needs=FILE
    )
    def zoom_in(self) -> None:
        """Make the text larger."""
        self.window.editors.set_zoom(self.window.editors.zoom + 1)

    @command("view.zoom_out", "Smaller Text", menu="View", shortcut="Ctrl+-", needs=FILE)
    def zoom_out(self) -> None:
        """Make the text smaller."""
        self.window.editors.set_zoom(self.window.editors.zoom - 1)

    @command("view.zoom_reset", "Normal Text", menu="View", shortcut="Ctrl+0", needs=FILE)
    def zoom_reset(self) -> None:
        """Give the text its normal size."""
        self.window.editors.set_zoom(0)

    @command("view.times", "Times of Lines", menu="View", shortcut="Ctrl+F8", checkable=True)
    def times(self) -> None:
        """Show in the margin how long each line took, on the host and on the GPU."""
        on = not self.window.run_annotations.times_wanted
        self.window.run_annotations.want_times(on=on)
        self.window.store.keep("times", on)
        self.window.commands.actions["view.times"].setChecked(on)

    @command("view.fold", "Fold", menu="View/Folding", shortcut="Ctrl+Shift+[", needs=FILE)
    def fold(self) -> None:
        """Fold the block that the caret is in."""
        editor = self.window.editors.focused()
        if editor is not None and not folding.fold_here(editor):
            self.window.notify("No block to fold around the caret")

    @command("view.unfold", "Unfold", menu="View/Folding", shortcut="Ctrl+Shift+]", needs=FILE)
    def unfold(self) -> None:
        """Unfold the block that begins in the caret's line."""
        editor = self.window.editors.focused()
        if editor is not None and not folding.unfold_here(editor):
            self.window.notify("No folded block begins in this line")

    @command("view.fold_all", "Fold All", menu="View/Folding", needs=FILE)
    def fold_all(self) -> None:
        """Fold every block, or unfold them all."""
        editor = self.window.editors.focused()
        if editor is not None:
            editor.foldAll(2)

    @command(
        "view.split_below",
        "Split Below",
        menu="View",
        shortcut="Ctrl+\\",
        separator=True,
        needs=FILE,
    )
    def split_below(self) -> None:
        """Show other lines of the same file below, or another file; or close that view."""
        self._toggle_split(Qt.Orientation.Vertical)

    @command("view.split_right", "Split Right", menu="View", shortcut="Ctrl+Shift+\\", needs=FILE)
    def split_right(self) -> None:
        """Show other lines of the same file beside, or another file; or close that view."""
        self._toggle_split(Qt.Orientation.Horizontal)

    def _toggle_split(self, orientation: Qt.Orientation) -> None:
        editors = self.window.editors
        editors.split.toggle(editors.current(), orientation)

    @command("view.next_tab", "Next File", menu="View", shortcut="Ctrl+Tab", needs=FILE)
    def next_tab(self) -> None:
        """Show the file on the next tab."""
        self.window.editors.cycle(1)

    @command(
        "view.previous_tab", "Previous File", menu="View", shortcut="Ctrl+Shift+Tab", needs=FILE
    )
    def previous_tab(self) -> None:
        """Show the file on the tab before."""
        self.window.editors.cycle(-1)

    @command(
        "view.editor",
        "Go to Editor",
        menu="View",
        shortcut="Ctrl+Shift+E",
        separator=True,
        needs=FILE,
    )
    def to_editor(self) -> None:
        """Put the keyboard into the editor."""
        editor = self.window.editors.focused()
        if editor is not None:
            editor.setFocus()

    @command(
        "view.command", "Go to Command Window", menu="View", shortcut="Ctrl+J", icon="terminal"
    )
    def to_command(self) -> None:
        """Put the keyboard into the command window."""
        self.window.to_command_window()

    @command("view.next_panel", "Next Panel", menu="View", shortcut="F6")
    def next_panel(self) -> None:
        """Give the keyboard to the next panel; behind the last one comes the editor."""
        self.window.focus_cycle.step(1)

    @command("view.previous_panel", "Previous Panel", menu="View", shortcut="Shift+F6")
    def previous_panel(self) -> None:
        """Give the keyboard to the panel before."""
        self.window.focus_cycle.step(-1)

    @command("view.history", "Command History…", menu="View", shortcut="Ctrl+Alt+H", icon="history")
    def history(self) -> None:
        """Choose an earlier command and put it into the command window."""
        self.window.palettes.history()

    @command("view.follow", "Follow Variable", menu="View", shortcut="Ctrl+Alt+V", needs=FILE)
    def follow(self) -> None:
        """Light up the variable at the caret everywhere; once more ends it."""
        editor = self.window.editors.focused()
        word = editor.word_at(editor.currentPos()) if editor else ""
        if word.isidentifier() or self.window.variable_highlight.name:
            self.window.variable_highlight.toggle(word if word.isidentifier() else "")
        else:
            self.window.notify(NO_NAME)

    @command("help.word", "Help on Word", menu="Help", shortcut="F1", icon="help")
    def help_word(self) -> None:
        """Show the help of the function under the caret, at the prompt or in the output, too."""
        focused = QApplication.focusWidget()
        text = focused if isinstance(focused, Surface) else self.window.editors.focused()
        word = text.word_at(text.currentPos()) if text else ""
        if word.isidentifier():
            self.window.open_help(word)
        else:
            self.window.docks.show_panel("help")

    @command("help.functions", "All Functions", menu="Help")
    def functions(self) -> None:
        """Show every function by family."""
        self.window.docks.show_panel("help")

    @command("help.tour", "Tour", menu="Help", separator=True)
    def tour(self) -> None:
        """Five cards about the window."""
        from app.ui.shell.tour import Tour

        Tour(self.window)

    @command("help.about", "About Fuselab", menu="Help", separator=True)
    def about(self) -> None:
        """Version and licences."""
        from app.ui.shell.dialogs.about import show_about

        show_about(self.window)
