"""Commands of the Debug menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.protocol import Breakpoint, DebugCommand
from app.ui.shell.actions import FILE, command
from app.ui.shell.panel_catalogue import WATCHES

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


class DebugCommands:
    """Breakpoints, steps, watches."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @command(
        "debug.toggle",
        "Toggle Breakpoint",
        menu="Debug",
        shortcut="F12",
        icon="breakpoint",
        tint="error",
        needs=FILE,
    )
    def toggle_breakpoint(self) -> None:
        """Set or clear a breakpoint on the line of the caret."""
        editor = self.window.editors.focused()
        if editor is not None:
            editor.stops.toggle(editor.caret_line)

    @command(
        "debug.condition", "Breakpoint Condition…", menu="Debug", shortcut="Ctrl+F12", needs=FILE
    )
    def condition(self) -> None:
        """Say when the breakpoint of the line stops, or what it prints."""
        editor = self.window.editors.focused()
        if editor is not None:
            from app.ui.editor.breakpoint_dialog import BreakpointDialog

            BreakpointDialog(editor, editor.caret_line).open()

    @command("debug.clear", "Clear All Breakpoints", menu="Debug")
    def clear_breakpoints(self) -> None:
        """Take every breakpoint away."""
        if not self.window.breakpoints.clear():
            self.window.notify("There are no breakpoints")

    @command(
        "debug.pause",
        "Pause",
        menu="Debug",
        shortcut="Ctrl+Pause",
        icon="pause",
        separator=True,
        needs=("running",),
    )
    def pause(self) -> None:
        """Stop at the next line that runs."""
        self.window.bridge.post(DebugCommand("pause"))

    @command("debug.continue", "Continue", menu="Debug", icon="continue", needs=("paused",))
    def go_on(self) -> None:
        """Run on from where the script is paused."""
        self.window.bridge.post(DebugCommand("continue"))

    @command("debug.step", "Step", menu="Debug", shortcut="F10", icon="step", needs=("paused",))
    def step(self) -> None:
        """Run one line."""
        self.window.bridge.post(DebugCommand("step"))

    @command(
        "debug.step_in", "Step In", menu="Debug", shortcut="F11", icon="step-in", needs=("paused",)
    )
    def step_in(self) -> None:
        """Run into the function that is called."""
        self.window.bridge.post(DebugCommand("step-in"))

    @command(
        "debug.step_out",
        "Step Out",
        menu="Debug",
        shortcut="Shift+F11",
        icon="step-out",
        needs=("paused",),
    )
    def step_out(self) -> None:
        """Run to the end of the function."""
        self.window.bridge.post(DebugCommand("step-out"))

    @command("debug.to_cursor", "Run to Cursor", menu="Debug", shortcut="Ctrl+F10", needs=FILE)
    def to_cursor(self) -> None:
        """Run, or run on, and pause on the line of the caret."""
        editor = self.window.editors.focused()
        if editor is None:
            return
        file = str(editor.path or editor.untitled)
        self.window.breakpoints.pause_at(Breakpoint(file, editor.caret_line))
        self.window.commands.run("run.file")

    @command("debug.watch", "Watch Selection", menu="Debug", needs=FILE)
    def watch(self) -> None:
        """Watch the selected expression, or the word of the caret."""
        editor = self.window.editors.focused()
        if editor is None:
            return
        text = editor.slice(editor.selectionStart(), editor.selectionEnd()).strip()
        self.window.docks.show_panel("watches")
        watched = text or editor.word_at(editor.currentPos())
        self.window.docks.widget(WATCHES).add(watched)

    @command(
        "debug.quit",
        "Quit Debugging",
        menu="Debug",
        shortcut="Shift+F5",
        separator=True,
        needs=("paused",),
    )
    def quit(self) -> None:
        """End the paused script."""
        self.window.bridge.post(DebugCommand("quit"))
