"""Commands of the Run menu."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from app.engine.protocol import ChooseDevice, DebugCommand, RunText
from app.engine.run_state import RunState
from app.ui.editor import sections
from app.ui.editor.code_editor import CodeEditor, is_program
from app.ui.run_model import scaling_experiment
from app.ui.run_model.run_model import BUSY
from app.ui.shell.actions import FILE, command
from app.ui.shell.dialogs.configuration import Configuration
from app.ui.shell.panel_catalogue import TESTS

if TYPE_CHECKING:
    from app.ui.panels.unit_tests import TestsPanel
    from app.ui.shell.main_window import MainWindow

PLAIN = Configuration()
_DECLARES = re.compile(r"(?:[ \t]*(?:%.*)?\n)*[ \t]*(?:classdef|function)\b")
_MENTIONS_TESTS = re.compile(r"\bTestCase\b|\bfunctiontests\b")


class RunCommands:
    """Run, compare, stop."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @command(
        "run.file", "Run File", menu="Run", shortcut="F5", icon="run", needs=("file", "paused")
    )
    def run_file(self) -> None:
        """Save and run the file; continue when it is paused."""
        if self.window.run_model.state == RunState.PAUSED:
            self.window.bridge.post(DebugCommand("continue"))
            return
        editor = self.window.editors.current()
        if editor is None or self._is_refused():
            return
        if editor.path is not None and editor.modified_text:
            self.window.editors.save(editor)
        face = self.window.documents.of(editor)
        if face is not None:
            face.runs.run(face.runs.sections)
            return
        if self._run_tests_of(editor):
            return
        self._run(
            editor, editor.text(), 1, editor.name.removesuffix(".m"), self._configuration(editor)
        )

    def _run_tests_of(self, editor: CodeEditor) -> bool:
        """Run the tests that a function or class file consists of; false where it has none."""
        text = editor.text()
        if editor.path is None or not (_DECLARES.match(text) and _MENTIONS_TESTS.search(text)):
            return False
        if not self._tests.run_file(editor.path):
            return False
        self.window.docks.show_panel("tests")
        return True

    @property
    def _tests(self) -> TestsPanel:
        return self.window.docks.widget(TESTS)

    @command("run.tests", "Run Tests", menu="Run")
    def run_tests(self) -> None:
        """Run the unit tests of the current folder."""
        if not self._is_refused():
            self.window.docks.show_panel("tests")
            self._tests.run_folder()

    def _configuration(self, editor: CodeEditor) -> Configuration:
        """How this file is run; the seed is set and the device chosen before."""
        kept = self.window.store.state.get("configurations", {}).get(str(editor.path), {})
        return Configuration(**kept)

    @command("run.configure", "Run Configuration…", menu="Run", needs=FILE)
    def configure(self) -> None:
        """Say with which arguments, on which device and with which seed the file runs."""
        from app.ui.shell.dialogs.configuration import ConfigurationDialog

        editor = self.window.editors.current()
        if editor is not None:
            before = self._configuration(editor)
            keep = partial(self._keep_configuration, str(editor.path))
            ConfigurationDialog(self.window, editor.name, before, keep).open()

    def _keep_configuration(self, file: str, configuration: Configuration) -> None:
        known = self.window.store.state.get("configurations", {})
        self.window.store.keep("configurations", {**known, file: configuration.as_row()})

    @command(
        "run.section",
        "Run Section",
        menu="Run",
        shortcut="Ctrl+Return",
        icon="run-section",
        needs=FILE,
    )
    def run_section(self) -> None:
        """Run the section between two %% lines that holds the caret."""
        editor, view = self.window.editors.current(), self.window.editors.focused()
        if editor is not None and view is not None:
            section = sections.section_at(view.lines(), view.caret_line)
            self._run_section(editor, section)

    @command(
        "run.advance",
        "Run Section and Advance",
        menu="Run",
        shortcut="Ctrl+Shift+Return",
        icon="run-advance",
        needs=FILE,
    )
    def run_advance(self) -> None:
        """Run the section and go to the next one."""
        editor, view = self.window.editors.current(), self.window.editors.focused()
        if editor is None or view is None or self._is_refused():
            return
        section = sections.section_at(view.lines(), view.caret_line)
        self._run_section(editor, section)
        face = self.window.documents.of(editor)
        if face is not None:
            face.view.editing.go_to(section.last + 1)
        else:
            view.go_to(section.last + 1)

    @command("run.selection", "Run Selection", menu="Run", shortcut="F9", needs=FILE)
    def run_selection(self) -> None:
        """Run the selected text, or the line of the caret; in a pause, where the script is."""
        editor, view = self.window.editors.current(), self.window.editors.focused()
        if editor is None or view is None:
            return
        first = view.lineFromPosition(view.selectionStart()) + 1
        selected = view.slice(view.selectionStart(), view.selectionEnd())
        text = selected or view.line_text(first - 1)
        if self.window.run_model.state == RunState.PAUSED:
            if text.strip():
                self.window.run_code(text.strip())
        else:
            self._run(editor, text, first, selected)

    @command(
        "run.stop",
        "Stop",
        menu="Run",
        shortcut="Ctrl+F2",
        icon="stop",
        tint="error",
        separator=True,
        needs=("busy",),
    )
    def stop(self) -> None:
        """Interrupt the running script, also a paused one, and drop the runs that wait."""
        self.window.bridge.stop_run()

    @command(
        "run.compare",
        "Compare CPU and GPU",
        menu="Run",
        shortcut="Ctrl+Shift+F5",
        icon="transfers",
        needs=FILE,
    )
    def compare(self) -> None:
        """Run the file on both, cold and warm, and show the times in the summary."""
        editor = self.window.editors.current()
        if editor is None or self._is_refused():
            return
        self.window.docks.show_panel("summary")
        self.window.begin_run(editor, f"% {editor.name} on CPU and GPU")
        name = str(editor.path) if editor.path else editor.untitled
        request = RunText(editor.text(), name)
        self.window.comparison.start(request, self.window.settings.device)

    @command(
        "run.whatif",
        "What If: Other Sizes",
        menu="Run",
        shortcut="Ctrl+F5",
        icon="timeline",
        needs=FILE,
    )
    def what_if(self) -> None:
        """Run the section at a hundredth, a tenth and all of its size, on the CPU and the GPU."""
        editor, view = self.window.editors.current(), self.window.editors.focused()
        if editor is None or view is None or self._is_refused():
            return
        section = sections.section_at(view.lines(), view.caret_line)
        text = "\n".join(editor.lines()[section.first - 1 : section.last])
        above = "\n".join(editor.lines()[: section.first - 1])
        found = scaling_experiment.sizes(text, above)
        if not found:
            self.window.notify("Nothing to scale: no line such as n = 1e6; sets a size here")
        elif len(found) == 1:
            self._try_sizes(editor, text, section.first, found[0])
        else:
            self.window.palettes.choose(
                [
                    (
                        f"{size.name} = {size.value:g}",
                        "scale this",
                        partial(self._try_sizes, editor, text, section.first, size),
                    )
                    for size in found
                ],
                "Which size should be smaller?",
            )

    def _try_sizes(
        self, editor: CodeEditor, text: str, line: int, size: scaling_experiment.Size
    ) -> None:
        self.window.docks.show_panel("summary")
        self.window.begin_run(editor, f"% what if {size.name} were smaller")
        name = str(editor.path) if editor.path else editor.untitled
        request = RunText(text, name, line)
        self.window.scaling.start(request, size, self.window.settings.device)

    @command("run.clear", "Clear Workspace", menu="Run", icon="trash", separator=True)
    def clear(self) -> None:
        """Delete all variables."""
        self.window.run_code("clear")

    def _is_refused(self) -> bool:
        """Whether nothing can be run now, which the status bar then says: a key is answered."""
        busy = self.window.run_model.busy
        if busy:
            self.window.notify(BUSY)
        return busy

    def _run_section(self, editor: CodeEditor, section: sections.Section) -> None:
        face = self.window.documents.of(editor)
        if face is not None:
            known = face.runs.section_of(section.first)
            face.runs.run([known] if known is not None else [])
            return
        shown = f"%% {section.title}" if section.title else ""
        lines = (section.first, section.last)
        self._run(editor, editor.text(), 1, shown, lines=lines)

    def _run(
        self,
        editor: CodeEditor,
        text: str,
        first_line: int,
        shown: str,
        how: Configuration = PLAIN,
        lines: tuple[int, int] | None = None,
    ) -> None:
        if self._is_refused():
            return
        if not is_program(editor.path):
            self.window.notify(f"{editor.name} is not a program; F9 runs what is selected")
            return
        name = str(editor.path) if editor.path else editor.untitled
        self.window.begin_run(editor, shown)
        if editor.path is not None and editor.path.parent != self.window.current_folder.resolve():
            self.window.change_folder(editor.path.parent)
            self.window.notify(f"The current folder is now {editor.path.parent}")
        chosen = self.window.settings.device
        if how.device and how.device != chosen:
            self.window.bridge.post(ChooseDevice(how.device))
        if how.seed:
            self.window.bridge.post(RunText(f"rng({how.seed});"))
        self.window.bridge.post(RunText(text, name, first_line, arguments=how.words, lines=lines))
        if how.device and how.device != chosen:
            self.window.bridge.post(ChooseDevice(chosen))
