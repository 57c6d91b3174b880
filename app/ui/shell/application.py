"""Starts the window: the Qt application, its looks, the engine thread, and pictures of it."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QElapsedTimer, QEventLoop, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QImageWriter
from PySide6.QtWidgets import QApplication

from app import paths, settings
from app.engine import protocol
from app.engine.declarations import toolboxes
from app.engine.session.report import NO_ACCOUNTS, Accounts
from app.errors import UsageError
from app.settings import Settings
from app.ui.editor import accessible_text
from app.ui.shell import single_instance
from app.ui.shell.panel_catalogue import FIGURES
from app.ui.shell.starting import await_exposed, show_starting
from app.ui.support import fonts
from app.ui.support.exception_hook import ExceptionHook, listen_to_qt
from app.ui.support.gc_driver import GcDriver
from app.ui.support.icons import application_icon
from app.ui.support.placing import FRAME
from app.ui.support.theme import theme_hub

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow
    from app.ui.support.bridge import Engine

# Threads hand over the interpreter this often: a busy engine must not delay a key.
SWITCH_S = 0.0003
FREEZE_MS = 3000
SHOT_LIMIT_MS = 600_000
USUAL = QSize(1600, 1000)
FIGURES_LIMIT_MS = 30_000


class Options(Protocol):
    """What the window reads of the command line (``app.cli.command_line.Options``)."""

    @property
    def device(self) -> str:
        """Where to compute."""
        ...

    @property
    def seed(self) -> str:
        """Seed of the random numbers."""
        ...

    @property
    def octave(self) -> bool:
        """Accept Octave's forms."""
        ...

    @property
    def restricted(self) -> bool:
        """Refuse dangerous calls in every folder."""
        ...

    @property
    def path(self) -> tuple[str, ...]:
        """Folders searched for functions."""
        ...

    @property
    def report(self) -> str:
        """File for the report of each run."""
        ...

    @property
    def trace(self) -> str:
        """File for the trace of each run."""
        ...

    @property
    def run(self) -> bool:
        """Run the first file at once."""
        ...

    @property
    def layout(self) -> str:
        """Arrangement of the panels."""
        ...

    @property
    def theme(self) -> str:
        """Colours."""
        ...


def make_application(theme: str) -> QApplication:
    """The Qt application with our style, typefaces and theme."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    sys.setswitchinterval(SWITCH_S)
    if app.findChild(GcDriver) is None:
        GcDriver(app)
    app.setApplicationName("fuselab")
    app.setApplicationDisplayName("Fuselab")
    app.setDesktopFileName("fuselab")
    app.setWindowIcon(application_icon())
    app.setStyle("Fusion")
    fonts.load_fonts()
    app.setFont(fonts.ui_font())
    accessible_text.install()
    theme_hub().follow_system()
    theme_hub().set_mode(theme)
    return app


_Given = TypeVar("_Given", bound=Options)


def load_settings(options: Options) -> Settings:
    """The settings in force, with what the command line says on top."""
    loaded = settings.load()
    for name in ("device", "seed"):
        value = getattr(options, name)
        if value:
            loaded.set(name, value, "option")
    for name in ("octave", "restricted"):
        if getattr(options, name):
            loaded.set(name, raw=True, origin="option")
    return loaded


def engine_maker(
    loaded: Settings, folders: tuple[str, ...], accounts: Accounts = NO_ACCOUNTS
) -> Callable[[Callable[[protocol.Event], None]], Engine]:
    """A function that starts the engine; importing it waits until then."""

    def make(emit: Callable[[protocol.Event], None]) -> Engine:
        from app.engine.session.engines import Engines

        return Engines(loaded, emit, folders, accounts)

    return make


def _accounts(options: Options) -> Accounts:
    return Accounts(options.report, options.trace)


def run_window(
    named: Sequence[Path],
    options: _Given,
    with_project: Callable[[_Given, Callable[[Path], bool]], _Given] = lambda options, _: options,
) -> int:
    """Open the window and stay until it is closed.

    Args:
        named: files to open, and at most one folder, which becomes the current one.
        options: of the command line.
        with_project: completes them by the project where its folder is trusted, which it asks.

    Raises:
        UsageError: a project file cannot be read, or says what it may not.
    """
    toolboxes.load_by_scripts_only()
    loaded = load_settings(options)
    alone = not (options.run or options.report or options.trace)
    if alone and single_instance.hand_over(named):
        return 0
    app = make_application(options.theme or loaded.theme)
    fonts.use_code_font(loaded.editor_font, loaded.editor_font_size)
    card = show_starting(placed(None))
    from app.ui.shell.main_window import MainWindow
    from app.ui.shell.session_store import SessionStore
    from app.ui.shell.workspace_trust import trust_in

    store = SessionStore(paths.data_dir())
    options = with_project(options, lambda folder: trust_in(folder.resolve(), store.state) is True)
    if options.device:
        loaded.set("device", options.device, "option")
    window = MainWindow(_start_folder(named, store.state.get("folder")), store)
    window.use_settings(loaded)
    window.setGeometry(placed(store.state.get("geometry")))
    window.use_layout(options.layout or store.state.get("layout") or loaded.layout)
    store.restore(window)
    for path in named:
        window.open_any(path)
    front = window.editors.current()
    if front is not None:
        front.setFocus()
    elif window.trust is not None:
        window.trust.begin_quietly()
        window.command_window.setFocus()
    for problem in loaded.problems:
        window.notify(problem, "warning")
    if store.state.get("maximized"):
        window.setWindowState(Qt.WindowState.WindowMaximized)
    window.show()
    await_exposed(window)
    window.later(card.close)
    window.later(
        lambda: window.bridge.start(engine_maker(loaded, options.path, _accounts(options)))
    )
    # What the start has made stays: a collection that walks it would stop window and script alike.
    QTimer.singleShot(FREEZE_MS, window, gc.freeze)
    if options.run:
        window.later(lambda: window.commands.run("run.file"))
    guard = ExceptionHook(window, window.notify)
    guard.install()
    instance = single_instance.SingleInstance(window, window.take_files)
    instance.listen()
    window.closing.connect(instance.close)
    # An interrupt from the terminal ends the program at once: the session is journaled.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = app.exec()
    guard.remove()
    return status


def placed(kept: Sequence[int] | None) -> QRect:
    """Where the window stands: as it was left if that can still be seen, else on its screen."""
    screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
    if kept is not None:
        before = QRect(*kept)
        for other in QGuiApplication.screens():
            if other.availableGeometry().contains(before):
                return before
    room = screen.availableGeometry().marginsRemoved(FRAME)
    size = QSize(min(USUAL.width(), room.width()), min(USUAL.height(), room.height()))
    place = QRect(room.topLeft(), size)
    if size.width() < room.width():
        place.moveCenter(room.center())
    return place


def _start_folder(named: Sequence[Path], last: str | None) -> Path:
    if named:
        folder = next((path for path in named if paths.is_folder(path)), named[0].parent)
        return folder.resolve()
    if last and paths.is_folder(last):
        return Path(last)
    here = Path.cwd()
    return Path.home() if here == Path("/") else here


def shot(
    file: Path,
    png: Path,
    layout: str,
    size: tuple[int, int],
    theme: str,
    wait_ms: int,
    options: Options,
    tell_error: Callable[[protocol.ErrorRaised], None],
) -> int:
    """Run ``file`` in the window to its end and save a picture; ``tell_error`` hears of errors.

    Raises UsageError for pictures of a kind that Qt does not write.
    """
    kinds = [bytes(kind.data()).decode() for kind in QImageWriter.supportedImageFormats()]
    if png.suffix[1:].lower() not in kinds:
        raise UsageError(f"{png.name}: pictures are written as .{', .'.join(kinds)}")
    from app.ui.shell.main_window import MainWindow
    from app.ui.shell.session_store import SessionStore

    listen_to_qt()
    loaded = load_settings(options)
    make_application(theme)
    window = MainWindow(file.resolve().parent, SessionStore(None))
    window.resize(*size)
    window.use_layout(layout)
    window.open_file(file)
    window.show()
    window.bridge.subscribe(protocol.ErrorRaised, tell_error)
    window.bridge.start(engine_maker(loaded, options.path, _accounts(options)))
    finished = _run_to_end(window)
    _settle(max(wait_ms, 300))
    window.run_annotations.reveal_groups()
    _settle(60)
    _await_figures(window)
    saved = window.grab().save(str(png))
    status = window.run_model.status
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    if not saved:
        sys.stderr.write(f"fuselab: {png} could not be written\n")
        return 2
    return 0 if finished and status == "ok" else 1


def _run_to_end(window: MainWindow) -> bool:
    """Run the file in front as F5 does, and wait for its end and its figures."""
    loop = QEventLoop()
    limit = QTimer()
    limit.setSingleShot(True)
    limit.timeout.connect(loop.quit)
    _settle(20)  # a live script is shown as a document first
    document = window.documents.current()
    if document is None:
        window.run_model.run_finished.connect(loop.quit)
    else:
        document.runs.finished.connect(loop.quit)
    limit.start(SHOT_LIMIT_MS)
    window.commands.run("run.file")
    loop.exec()
    limit.stop()
    return window.run_model.wall_ms is not None


def _await_figures(window: MainWindow) -> None:
    """Wait until the device has drawn all figures, their thumbnails and the badge."""
    figures = window.docks.made(FIGURES)
    clock = QElapsedTimer()
    clock.start()
    while figures is not None and clock.elapsed() < FIGURES_LIMIT_MS:
        if figures.at_rest():
            return
        _settle(20)


def _settle(milliseconds: int) -> None:
    """Let the window paint what the run left behind."""
    clock = QElapsedTimer()
    clock.start()
    while clock.elapsed() < milliseconds:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
