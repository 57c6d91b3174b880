"""All panels: name, title, icon, home, and how each is made when it is first shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QWidget

from app.ui.widgets.panel_specs import PanelName, PanelSpec

if TYPE_CHECKING:
    from app.ui.panels.command_window import CommandWindow
    from app.ui.panels.figures import FigureDock
    from app.ui.panels.files import FilesPanel
    from app.ui.panels.find_files import FindFilesPanel
    from app.ui.panels.fusion import FusionPanel
    from app.ui.panels.help import HelpPanel
    from app.ui.panels.unit_tests import TestsPanel
    from app.ui.panels.variables import VariablesPanel
    from app.ui.panels.watches import WatchesPanel
    from app.ui.panels.workspace import WorkspacePanel
    from app.ui.shell.main_window import MainWindow
    from app.ui.shell.variable_highlight import HighlightedVariable


P = TypeVar("P", bound="HighlightedVariable")

# The panels that other parts of the window speak with.
FILES: PanelName[FilesPanel] = PanelName("files")
WORKSPACE: PanelName[WorkspacePanel] = PanelName("workspace")
COMMAND: PanelName[CommandWindow] = PanelName("command")
FIND: PanelName[FindFilesPanel] = PanelName("find")
TESTS: PanelName[TestsPanel] = PanelName("tests")
FIGURES: PanelName[FigureDock] = PanelName("figures")
HELP: PanelName[HelpPanel] = PanelName("help")
WATCHES: PanelName[WatchesPanel] = PanelName("watches")
VARIABLES: PanelName[VariablesPanel] = PanelName("variable")


def panel_specs(window: MainWindow) -> tuple[PanelSpec, ...]:
    """The panels of ``window``; nothing is imported before a panel is shown."""
    make = _Makers(window)
    return (
        PanelSpec(FILES, "Files", "folder", "left", make.files),
        PanelSpec("outline", "Outline", "stack", "left2", make.outline),
        PanelSpec(WORKSPACE, "Workspace", "table", "right", make.workspace),
        PanelSpec(COMMAND, "Command Window", "terminal", "bottom", make.command),
        PanelSpec("history", "History", "history", "bottom", make.history),
        PanelSpec("problems", "Problems", "warning", "bottom", make.problems),
        PanelSpec(FIND, "Find in Files", "find", "bottom", make.find),
        PanelSpec("changes", "Changes", "transfers", "bottom", make.changes),
        PanelSpec(TESTS, "Tests", "check", "bottom", make.tests),
        PanelSpec("fusion", "Fusion", "fusion", "middle", make.fusion),
        PanelSpec("summary", "Summary", "history", "middle", make.summary),
        PanelSpec("profile", "Profile", "timeline", "middle", make.profile),
        PanelSpec("kernels", "Kernels", "kernel", "middle", make.kernels),
        PanelSpec("transfers", "Transfers", "transfers", "middle", make.transfers),
        PanelSpec("residency", "Residency", "layers", "middle", make.residency),
        PanelSpec("timeline", "Timeline", "timeline", "middle", make.timeline),
        PanelSpec("parallel", "Parallel", "grid", "middle", make.parallel),
        PanelSpec("device", "Device", "chip", "middle", make.device),
        PanelSpec(FIGURES, "Figures", "chart", "right2", make.figures),
        PanelSpec(HELP, "Help", "help", "right2", make.help),
        PanelSpec("stack", "Call Stack", "stack", "left", make.stack),
        PanelSpec("breakpoints", "Breakpoints", "breakpoint", "left2", make.breakpoints),
        PanelSpec(WATCHES, "Watches", "find", "right2", make.watches),
        PanelSpec(VARIABLES, "Variables", "table", "bottom", make.variable),
    )


class _Makers:
    """One method per panel; the imports are inside so that starting stays fast."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def files(self) -> QWidget:
        from app.ui.panels.files import FilesPanel
        from app.ui.shell.dialogs.import_data import import_values

        panel = FilesPanel(self._window.context, self._window.current_folder)
        panel.opened.connect(lambda name: self._window.open_any(Path(name)))
        panel.import_wanted.connect(partial(import_values, self._window))
        panel.renamed.connect(self._window.editors.follow_file)
        panel.folder_wanted.connect(self._window.change_folder)
        self._window.closing.connect(panel.git.close)
        return panel

    def workspace(self) -> QWidget:
        from app.ui.panels.workspace import WorkspacePanel

        panel = WorkspacePanel(self._window.context, self._open_variable)
        panel.chosen.connect(self._window.variable_highlight.follow)
        return panel

    def command(self) -> QWidget:
        from app.ui.panels.command_window import CommandWindow

        console = CommandWindow(self._window.context, self._window.store.history_file)
        self._window.language.completion(console.input)
        console.input.uriDropped.connect(
            lambda address: self._window.open_any(Path(QUrl(address).toLocalFile()))
        )
        return console

    def history(self) -> QWidget:
        """Commands typed before."""
        from app.ui.panels.history_panel import HistoryPanel

        return HistoryPanel(self._window.context, self._window.command_window)

    def problems(self) -> QWidget:
        from app.ui.panels.problems import ProblemsPanel

        return ProblemsPanel(self._window.context, self._window.language)

    def find(self) -> QWidget:
        """Find in the files of the current folder."""
        from app.ui.panels.find_files import FindFilesPanel

        panel = FindFilesPanel(
            self._window.context,
            lambda: self._window.current_folder,
            self._window.editors.editor_of,
            self._window.editors.unsaved_texts,
        )
        self._window.closing.connect(panel.close_search)
        return panel

    def changes(self) -> QWidget:
        """Changed files of the repository."""
        from app.ui.panels.changes import ChangesPanel

        panel = ChangesPanel(self._window.context, self._window.docks.widget(FILES).git)
        self._window.closing.connect(panel.close_questions)
        return panel

    def tests(self) -> QWidget:
        """Unit tests of the current folder."""
        from app.ui.panels.unit_tests import TestsPanel

        panel = TestsPanel(self._window.context, lambda: self._window.current_folder)
        self._window.closing.connect(panel.close_questions)
        return panel

    def fusion(self) -> QWidget:
        from app.ui.panels.fusion import FusionPanel

        panel = FusionPanel(self._window.context)
        panel.group_selected.connect(self._window.run_annotations.focus_group)
        self._window.editors.caret_moved.connect(partial(self._follow_caret, panel))
        return panel

    def _follow_caret(self, panel: FusionPanel) -> None:
        """The group of the caret's line is the one shown."""
        editor = self._window.editors.current()
        name = self._window.run_model.run_name
        if editor is not None and panel.isVisible() and str(editor.path) == name:
            part = self._window.run_annotations.lines_of(editor).then(
                editor.run_marks.chosen_part()
            )
            if part is not None:
                panel.select_part(part)

    def summary(self) -> QWidget:
        """Where the time went."""
        from app.ui.panels.summary import SummaryPanel

        return SummaryPanel(self._window.context, self._window.comparison, self._window.scaling)

    def profile(self) -> QWidget:
        """What each line cost."""
        from app.ui.panels.profile import ProfilePanel

        return ProfilePanel(self._window.context)

    def outline(self) -> QWidget:
        """Functions and sections of the file in front."""
        from app.ui.panels.outline import OutlinePanel, show_line

        return OutlinePanel(self._window.editors, show_line)

    def kernels(self) -> QWidget:
        from app.ui.panels.kernels import KernelsPanel

        return KernelsPanel(self._window.context)

    def transfers(self) -> QWidget:
        from app.ui.panels.transfers import TransfersPanel

        return self._following(TransfersPanel(self._window.context))

    def residency(self) -> QWidget:
        from app.ui.panels.residency import ResidencyPanel

        return self._following(ResidencyPanel(self._window.context))

    def _following(self, panel: P) -> P:
        """A panel that lights up the variable that is followed."""
        panel.follow(self._window.variable_highlight.name, self._window.variable_highlight.lines)
        return panel

    def timeline(self) -> QWidget:
        from app.ui.panels.timeline import TimelinePanel

        return self._following(TimelinePanel(self._window.context))

    def parallel(self) -> QWidget:
        """Loops of parfor and the pool."""
        from app.ui.panels.parallel import ParallelPanel

        return ParallelPanel(self._window.context, lambda: self._window.commands.run("run.stop"))

    def device(self) -> QWidget:
        from app.ui.panels.device import DevicePanel

        return DevicePanel(self._window.context)

    def figures(self) -> QWidget:
        from app.ui.panels.figures import FigureDock

        return FigureDock(self._window.context)

    def help(self) -> QWidget:
        """Pages about functions."""
        from app.ui.panels.help import HelpPanel

        return HelpPanel(self._window.context, self._window.language.client)

    def stack(self) -> QWidget:
        from app.ui.panels.debugger import StackPanel

        return StackPanel(self._window.context)

    def breakpoints(self) -> QWidget:
        from app.ui.panels.debugger import BreakpointsDock

        return BreakpointsDock(self._window.context, self._window.editors, self._window.breakpoints)

    def watches(self) -> QWidget:
        """Expressions evaluated at every pause."""
        from app.ui.panels.watches import WatchesPanel

        store = self._window.store
        panel = WatchesPanel(self._window.context, store.state.get("watches", ()))
        panel.changed.connect(partial(store.keep, "watches"))
        return panel

    def variable(self) -> QWidget:
        from app.ui.panels.variables import VariablesPanel

        return VariablesPanel(self._window.context)

    def _open_variable(self, name: str) -> None:
        self._window.docks.widget(VARIABLES).open_variable(name)
        self._window.docks.show_panel(VARIABLES)
