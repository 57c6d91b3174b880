"""The main window: assembles editor, panels, commands and bars, and connects them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from app import paths
from app.engine import protocol
from app.engine.run_state import RunState
from app.settings import Settings
from app.ui.editor.area import EditorArea
from app.ui.editor.breakpoint_registry import BreakpointRegistry
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.language_view import LanguageView
from app.ui.editor.number_clicks import line_beside
from app.ui.editor.run_annotations_view import RunAnnotationsView
from app.ui.editor.trail import Trail
from app.ui.panels.panel import Context
from app.ui.run_model.device_comparison import Comparison
from app.ui.run_model.run_model import RunModel
from app.ui.run_model.scaling_experiment import ScalingExperiment
from app.ui.shell.actions import Command, Commands
from app.ui.shell.commands.code import CodeCommands
from app.ui.shell.commands.debug import DebugCommands
from app.ui.shell.commands.document import DocumentCommands
from app.ui.shell.commands.edit import EditCommands
from app.ui.shell.commands.file import FileCommands
from app.ui.shell.commands.run import RunCommands
from app.ui.shell.commands.view import ViewCommands
from app.ui.shell.desktop import DesktopRequests
from app.ui.shell.dialogs.import_data import import_values
from app.ui.shell.document_hooks import make_documents
from app.ui.shell.editor_menu import editor_menu, go_to_click, margin_menu, show_tab_menu
from app.ui.shell.figure_warm_up import FigureWarmUp
from app.ui.shell.focus_cycle import FocusCycle
from app.ui.shell.layouts import LAYOUTS
from app.ui.shell.menu_bar import MenuBar
from app.ui.shell.named_places import named_file
from app.ui.shell.palette_entries import Palettes
from app.ui.shell.panel_catalogue import COMMAND, FIGURES, FILES, HELP, panel_specs
from app.ui.shell.reveal import Reveal
from app.ui.shell.script_questions import ScriptQuestions
from app.ui.shell.session_store import SessionStore
from app.ui.shell.status_bar import StatusBar
from app.ui.shell.toolbar import ToolBar
from app.ui.shell.variable_highlight import VariableHighlight
from app.ui.shell.welcome import WelcomePage
from app.ui.shell.workspace_trust import TrustBar, TypedFolder
from app.ui.support import fonts
from app.ui.support.bridge import Bridge
from app.ui.support.data_files import is_no_text, loading_code
from app.ui.support.dialog_folder import DialogFolder
from app.ui.support.icons import application_icon, icon
from app.ui.support.theme import theme, theme_hub
from app.ui.widgets.docks import DockHost

if TYPE_CHECKING:
    from app.ui.panels.command_window import CommandWindow


class MainWindow(QMainWindow):
    """Everything the user sees. The engine is on the other side of ``bridge``."""

    closing = Signal()

    def __init__(self, folder: Path, store: SessionStore) -> None:
        super().__init__()
        self.setWindowTitle("Fuselab")
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.setAnimated(False)
        self.resize(1600, 1000)
        self.current_folder = folder
        self.layout_name = "classic"
        self.store = store
        self.settings = Settings()
        self.trust: TrustBar | None = None
        self.bridge = Bridge(self)
        self.run_model = RunModel(self.bridge, self)
        self.editors = EditorArea(folder)
        self.breakpoints = BreakpointRegistry(self.editors, self.bridge)
        self.context = Context(
            self.run_model,
            self.bridge,
            self.open_location,
            self.run_code,
            self.notify,
            lambda folder: self.trust is not None and self.trust.answer(folder.resolve()) is True,
        )
        self.docks = DockHost(self.editors, panel_specs(self))
        self.focus_cycle = FocusCycle(self.editors, self.docks)
        self.setCentralWidget(self.docks)
        self.status = StatusBar(self.run_model, lambda: self.commands.run("run.stop"))
        self.setStatusBar(self.status)
        self.commands = self._make_commands()
        self.setMenuBar(self.commands.fill(MenuBar(self)))
        self.tool_bar = ToolBar(self.commands, self.use_layout)
        self.addToolBar(self.tool_bar)
        self.palettes = Palettes(self)
        self.run_annotations = RunAnnotationsView(self.run_model, self.editors)
        self.commands.actions["view.times"].setChecked(self.run_annotations.times_wanted)
        self.variable_highlight = VariableHighlight(
            self.run_model, self.editors, self.docks, self.notify
        )
        self.language = LanguageView(
            self.run_model,
            self.editors,
            lambda: self.current_folder,
            self.open_location,
            self.open_help,
        )
        self.documents = make_documents(self)
        self.trail = Trail(self.editors, self.open_location)
        self.language.navigator.leaving = self.trail.leave
        self.comparison = Comparison(self.run_model, self.bridge)
        self.scaling = ScalingExperiment(self.run_model, self.bridge)
        self.reveal, self.desktop = Reveal(self), DesktopRequests(self)
        self.questions = ScriptQuestions(self)
        self.welcome = WelcomePage(self)
        self.editors.use_start_page(self.welcome)
        self._connect()
        self.store.attach(self)
        self.settings.subscribe(self._on_setting)
        self.bridge.post(protocol.ChangeFolder(str(folder)))
        self._on_state()

    def _make_commands(self) -> Commands:
        commands = Commands(self, {"editor": self.editors.split})
        self.controllers = (
            FileCommands(self),
            EditCommands(self),
            CodeCommands(self),
            RunCommands(self),
            DebugCommands(self),
            ViewCommands(self),
            DocumentCommands(self),
        )
        for controller in self.controllers:
            commands.add_from(controller)
        for spec in self.docks.specs.values():
            declared = Command(f"panel.{spec.id}", spec.title, menu="View/Panels", icon=spec.icon)
            tip = f"Show or hide the panel {spec.title}"
            commands.add(declared, partial(self.docks.toggle, spec.id), tip)
        return commands

    def _connect(self) -> None:
        self.editors.travelled.connect(self.trail.go)
        self.editors.current_changed.connect(self._on_editor)
        self.editors.caret_moved.connect(self._on_caret)
        self.editors.file_dropped.connect(self.open_any)
        self.editors.menu_wanted.connect(self._show_editor_menu)
        self.editors.tab_menu_wanted.connect(partial(show_tab_menu, self.editors))
        self.editors.notice.connect(self.notify)
        self.editors.titles_changed.connect(self._show_title)
        self.run_model.state_changed.connect(self._on_state)
        self.run_model.run_finished.connect(partial(self.breakpoints.pause_at, None))
        self.language.client.failed.connect(self._on_bug)
        self.language.navigator.notice.connect(self.notify)
        self.bridge.subscribe(protocol.Notice, self._on_notice)
        self.docks.file_dropped.connect(
            lambda path, panel: self.open_any(Path(path), values=panel == "workspace")
        )
        typed = self.command_window.input.submitted
        self._typed_folder = TypedFolder(typed, lambda: self.current_folder)
        self.bridge.subscribe(protocol.FolderChanged, self._on_folder)
        self.bridge.subscribe(protocol.FiguresRecalled, self._on_recalled)
        self.bridge.subscribe(protocol.InputWanted, self._on_input_wanted)
        self.run_model.problems_changed.connect(self._count_problems)
        self.language.remarks_changed.connect(self._count_problems)
        self.bridge.subscribe(protocol.Paused, self._on_paused)
        self.bridge.subscribe(
            protocol.FrameShown,
            lambda shown: self.reveal.show_place(*self.run_model.stack[shown.frame][1:3]),
        )
        self._warm_up = FigureWarmUp(self, self.bridge)
        theme_hub().changed.connect(self._on_theme)
        self._on_theme()

    # --- files ------------------------------------------------------------------------

    def open_file(self, path: Path) -> CodeEditor | None:
        """Open a file in a tab."""
        editor = self.editors.open(path)
        if editor is not None:
            editor.setFocus()
            self.store.remember_file(path.resolve())
        return editor

    def take_files(self, named: list[Path]) -> None:
        """Open what another start of the program hands over, and come to the front."""
        for path in named:
            self.open_any(path)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def open_location(self, file: str, line: int) -> None:
        """Show a file, or the one that has a function of that name, at a line."""
        editor = self.editors.editor_of(file)
        if editor is None and not paths.is_file(file):
            file = named_file(file, line, self.editors.editors(), self.language.folders()) or file
            editor = self.editors.editor_of(file)
        if editor is None and paths.is_file(file):
            editor = self.editors.open(Path(file))
        if editor is not None:
            self.editors.tabs.setCurrentWidget(editor)
            editor.go_to(line)
            editor.setFocus()

    def change_folder(self, folder: Path) -> None:
        """Use another current folder, in the engine and in the file tree."""
        self._show_folder(folder)  # first: whether it is trusted says which engine goes there
        self.bridge.post(protocol.ChangeFolder(str(folder.resolve())))
        self.store.remember_folder(folder.resolve())

    def _on_folder(self, event: protocol.FolderChanged) -> None:
        folder = Path(event.folder)
        if self._typed_folder.is_it(folder):  # as if it was chosen in a dialog
            self.change_folder(folder)
        elif folder != self.current_folder:
            self._show_folder(folder, by_user=False)

    def _show_folder(self, folder: Path, by_user: bool = True) -> None:
        self.current_folder = self.editors.folder = DialogFolder.path = folder.resolve()
        if self.trust is not None:
            self.trust.enter(self.current_folder, by_user)
        self.docks.widget(FILES).show_folder(self.current_folder)

    # --- running ----------------------------------------------------------------------

    def begin_run(self, editor: CodeEditor, shown: str) -> None:
        """Get the window ready for a run of ``editor``."""
        for one in self.editors.editors():  # an error may stand in a function's file
            one.run_marks.clear_errors()
        self.run_annotations.reserve_times(editor)
        console = self.command_window  # there before anything is printed
        if shown:
            console.echo(shown)

    def open_help(self, name: str) -> None:
        """Show the help page of a function."""
        self.docks.show_panel("help")
        self.docks.widget(HELP).open(name)

    def run_code(self, code: str) -> None:
        """Run code as if typed in the command window."""
        self.command_window.echo(code)
        self.bridge.post(protocol.RunText(code, echo=True))

    @property
    def command_window(self) -> CommandWindow:
        """The command window, made now if nobody has seen it yet."""
        return self.docks.widget(COMMAND)

    def use_settings(self, loaded: Settings) -> None:
        """Take what the settings say about the window, now and whenever they change."""
        self.settings = loaded
        self.commands.use_keymap(loaded.keymap)
        self.commands.use_own_keys(self.store.own_keys())
        self.trust = TrustBar(self.store, loaded)
        self.editors.put_on_top(self.trust)
        self.bridge.subscribe(protocol.ErrorRaised, self.trust.remind)
        self.trust.trusting.connect(partial(self.bridge.post, protocol.SendVariables()))
        self.trust.answered.connect(self._on_trust)
        self.editors.editor_added.connect(self.trust.ask_now)
        self.trust.enter(self.current_folder)
        loaded.subscribe(self._on_setting)
        self._use_editor_settings()

    def _on_trust(self) -> None:
        self.docks.widget(FILES).git.refresh()

    def _on_setting(self, name: str) -> None:
        if name == "keymap":
            self.commands.use_keymap(self.settings.keymap)
        elif name == "theme":
            theme_hub().set_mode(self.settings.theme)
        elif name.startswith("editor_font"):
            fonts.use_code_font(self.settings.editor_font, self.settings.editor_font_size)
            theme_hub().changed.emit()
        elif name.startswith("editor_"):
            self._use_editor_settings()

    def _use_editor_settings(self) -> None:
        self.editors.use_settings(self.settings)
        self.language.known.while_typing = self.settings.editor_completions

    # --- looks ------------------------------------------------------------------------

    def to_command_window(self) -> None:
        """Give the keyboard to the command window, wherever it is."""
        self.docks.show_panel("command")
        self.command_window.window().activateWindow()  # it may be a window of its own
        self.command_window.setFocus()

    def use_layout(self, name: str, *, fresh: bool = False) -> None:
        """Arrange the panels; a layout comes back as it was left unless ``fresh``."""
        name = name if name in LAYOUTS else "classic"
        self.store.keep_layout(self.layout_name, self.docks.save())
        self.layout_name = name
        kept = None if fresh else self.store.kept_layout(name)
        if kept is None:
            self.docks.apply(LAYOUTS[name])
        else:
            self.docks.restore(kept)
        self.tool_bar.layout_switch.show_layout(name)

    def use_theme(self, mode: str) -> None:
        """Use the theme ``dark``, ``light`` or ``system``."""
        self.settings.set("theme", mode)
        self.settings.save()

    def notify(self, text: str, level: str = "info") -> None:
        """Show one line in the status bar."""
        self.status.notify(text, level)

    # --- events -----------------------------------------------------------------------

    def _show_editor_menu(self, editor: CodeEditor, place: QPoint) -> None:
        here = editor.mapFromGlobal(place)
        line = line_beside(editor, here)
        if not line:
            go_to_click(editor, here)
        menu = margin_menu(editor, line) if line else editor_menu(self, editor)
        menu.exec(place)
        menu.deleteLater()

    def _on_state(self) -> None:
        paused = self.run_model.state == RunState.PAUSED
        self._allow_commands()
        self.commands.actions["run.file"].setText("Continue" if paused else "Run File")
        self.commands.actions["run.file"].setIconText("Continue" if paused else "Run")
        self.tool_bar.show_debugging(paused)
        if not paused:
            for editor in self.editors.editors():
                editor.run_marks.show_execution(None)

    def _allow_commands(self) -> None:
        """What means nothing now is grey: commands of a file without one, steps without a pause."""
        state = self.run_model.state
        present = {
            "file": self.editors.current() is not None,
            "busy": self.run_model.busy,
            "running": state == RunState.RUNNING,
            "paused": state == RunState.PAUSED,
        }
        self.commands.allow({name for name, there in present.items() if there})

    def _on_notice(self, event: protocol.Notice) -> None:
        self.notify(event.text, event.level)

    def _on_bug(self, text: str) -> None:
        self.notify(text, "error")

    def _on_input_wanted(self, _event: protocol.InputWanted) -> None:
        """What is asked stands in the command window: it comes out, and gets the keyboard unless
        somebody writes elsewhere."""
        self.docks.show_panel("command")
        if not self.reveal.is_somebody_writing():
            self.command_window.input.setFocus()

    def _count_problems(self) -> None:
        from app.ui.panels.problems import all_problems, count_text

        self.docks.annotate("problems", count_text(all_problems(self.run_model, self.language)))

    def _on_recalled(self, event: protocol.FiguresRecalled) -> None:
        """The figures of the last session are there again, until a script draws."""
        if event.figures:
            self.docks.widget(FIGURES).recall(event.figures)

    def _on_paused(self, event: protocol.Paused) -> None:
        self.breakpoints.pause_at(None)
        if event.frames:
            _, file, line, _ = event.frames[0]
            if self.reveal.is_written_beside(self.editors.editor_of(file)):
                self.notify(f"Paused on line {line} of {Path(file).name}")
            else:
                self.reveal.show_place(file, line)
            editor = self.editors.editor_of(file)
            if editor is not None:
                editor.run_marks.show_execution(line)

    def _on_editor(self) -> None:
        self.status.show_editor(self.editors.focused())
        self.run_annotations.show()
        self._show_title()
        self._allow_commands()

    def _show_title(self) -> None:
        editor = self.editors.current()
        self.setWindowTitle(f"{editor.name}[*] – Fuselab" if editor else "Fuselab")
        self.setWindowModified(editor is not None and editor.modified_text)

    def _on_caret(self) -> None:
        self.status.show_editor(self.editors.focused())

    def _on_theme(self) -> None:
        action, dark = self.commands.actions["view.theme"], theme().dark
        action.setText("Light Theme" if dark else "Dark Theme")
        action.setIcon(icon("sun" if dark else "moon"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open dropped files; a dropped folder becomes the current one."""
        event.setDropAction(Qt.DropAction.CopyAction)  # nobody's file is moved
        event.accept()
        workspace = self.docks.made("workspace")
        below = self.childAt(event.position().toPoint())
        values = workspace is not None and below is not None and workspace.isAncestorOf(below)
        for url in event.mimeData().urls():
            self.open_any(Path(url.toLocalFile()), values=values)

    def open_any(self, path: Path, *, values: bool = False) -> None:
        """Go into a folder, take data into the workspace, show any other file in a tab.

        Args:
            path: a file or folder; what is neither is left alone.
            values: whether a text that is a table is data, too.
        """
        if paths.is_folder(path):
            self.change_folder(path)
        elif paths.is_file(path):
            code = loading_code(path, values=values)
            if code:
                self.run_code(code)
            elif is_no_text(path):
                import_values(self, path)
            else:
                self.open_file(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep everything for the next time, and end the engine."""
        from app.ui.plots.device.renderer_pool import close_renderers

        self._warm_up.stop()
        self.store.save()
        self.store.detach()
        self.closing.emit()
        figures = self.docks.made(FIGURES)
        if figures is not None:
            figures.shut_down()
        close_renderers()
        self.language.close()
        self.bridge.close()
        super().closeEvent(event)

    def later(self, what: object) -> None:
        """Do something once the window has been painted."""
        if callable(what):
            QTimer.singleShot(0, self, what)

    def panel(self, name: str) -> QWidget:
        """A panel by its name."""
        return self.docks.widget(name)
