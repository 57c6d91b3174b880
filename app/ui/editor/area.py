"""The tabs of open files, the find bar below them, and what happens to files on disk."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from app import textfile
from app.engine.livecode.reading import is_converted, read_script
from app.errors import UsageError, reason_of
from app.settings import Settings
from app.textfile import TextFile
from app.ui.editor import file_writing
from app.ui.editor.code_editor import CodeEditor, is_program
from app.ui.editor.file_tabs import FileTabs
from app.ui.editor.find_bar import FindBar
from app.ui.editor.options import apply_settings, tidy
from app.ui.editor.split import SecondView, SplitArea, text_editor
from app.ui.editor.text_changes import change_to
from app.ui.editor.unsaved_dialog import (
    Choice,
    Protected,
    ask_about_conflict,
    ask_about_protected,
    differences,
    save_as,
)
from app.ui.support.formats import distinct_names
from app.ui.support.icons import icon
from app.ui.support.theme import theme_hub

LEAST_ZOOM, MOST_ZOOM = -6, 40
GONE_MS = 300
"""How long a file may be away while another program replaces it."""


WIDEST_NAME = 240
"""Pixels of a file's name on its tab; the tip has the whole."""


class EditorArea(QWidget):
    """All open files; emits signals about the one in front."""

    current_changed = Signal()
    emptied = Signal()
    titles_changed = Signal()
    caret_moved = Signal()
    breakpoints_changed = Signal()
    edited = Signal()
    saving = Signal(object)
    editor_added = Signal(object)
    editor_closing = Signal(object)
    menu_wanted = Signal(object, QPoint)
    tab_menu_wanted = Signal(int, QPoint)
    file_dropped = Signal(object)
    notice = Signal(str)
    zoomed = Signal()
    travelled = Signal(int)

    def __init__(self, folder: Path = Path()) -> None:
        super().__init__()
        self.setObjectName("EditorArea")
        self.setMinimumSize(320, 80)
        self.tabs = QTabWidget()
        self.find_bar = FindBar()
        self.zoom = 0
        self.settings = Settings()
        self.ask_about_conflict = ask_about_conflict
        self.ask_about_protected = ask_about_protected
        self.folder = folder  # where a file that is new is saved
        self._untitled = 0
        self._gone: set[CodeEditor] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._file_changed)
        self._stack = QStackedWidget()
        self._build()
        theme_hub().changed.connect(self._update_titles)

    def _build(self) -> None:
        strip = FileTabs()
        strip.menu_wanted.connect(self.tab_menu_wanted)
        self.tabs.setTabBar(strip)
        self.tabs.setDocumentMode(True)
        self.tabs.setMovable(True)
        self.tabs.setTabsClosable(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.tabCloseRequested.connect(self.close_tab)
        self.split = strip.split = SplitArea(self.tabs)
        self.split.opened.connect(self._join)
        self.split.view_changed.connect(self._on_view)
        self._stack.addWidget(self.split)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.find_bar)

    def use_start_page(self, page: QWidget) -> None:
        """Show a page while no file is open."""
        self._stack.insertWidget(0, page)
        if not self.tabs.count():
            self._stack.setCurrentIndex(0)

    def put_on_top(self, widget: QWidget) -> None:
        """Show something above the tabs."""
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(0, widget)

    # --- questions --------------------------------------------------------------------

    def focused(self) -> CodeEditor | None:
        """The view that had the keyboard last: where the caret is that commands are about."""
        return self.split.focused()

    def current(self) -> CodeEditor | None:
        """The editor of the file whose view had the keyboard last, be it in front or not."""
        view = self.focused()
        return None if view is None else text_editor(view)

    def editors(self) -> list[CodeEditor]:
        """All editors, in the order of their tabs."""
        return self.split.editors()

    def editor_of(self, file: str) -> CodeEditor | None:
        """The editor that shows ``file``, if it is open."""
        wanted = Path(file)
        for editor in self.editors():
            if editor.path is not None and (editor.path == wanted or str(editor.path) == file):
                return editor
            if editor.path is None and editor.untitled == file:
                return editor
        return None

    def unsaved_texts(self) -> dict[Path, str]:
        """What stands here and not yet in the files."""
        return {e.path: e.text() for e in self.editors() if e.path and e.modified_text}

    def use_settings(self, settings: Settings) -> None:
        """Make all views behave and look as the settings say, now and when they are opened."""
        self.settings = settings
        for view in (*self.editors(), self.split.second):
            if view is not None:
                apply_settings(view, settings)

    # --- size of the text ---------------------------------------------------------------

    def set_zoom(self, level: int) -> None:
        """Make the text of all views larger or smaller by so many points."""
        level = min(max(level, LEAST_ZOOM), MOST_ZOOM)
        changed, self.zoom = level != self.zoom, level
        for view in (*self.editors(), self.split.second):
            if view is not None:
                view.setZoom(level)
        if changed:
            self.zoomed.emit()

    def _join(self, view: CodeEditor) -> None:
        view.caret_moved.connect(self.caret_moved)
        self.offer_menu(view)
        apply_settings(view, self.settings)
        view.setZoom(self.zoom)
        view.zoomed.connect(self.set_zoom)

    # --- files ------------------------------------------------------------------------

    def new(self, text: str = "", name: str = "") -> CodeEditor:
        """Open an untitled script."""
        self._untitled += 1
        editor = CodeEditor(file_writing.NEW_FILE, None)
        editor.untitled = name or f"untitled{self._untitled}.m"
        self._add(editor)
        if text:
            editor.setText(text)
        return editor

    def _show_reading(self, text: str, name: str) -> None:
        """Open a text that is there to be read: nobody asks to save it, nor keeps it."""
        shown = self.new(text, name)
        shown.setSavePoint()
        shown.setReadOnly(True)

    def new_at(self, path: Path) -> CodeEditor:
        """Begin a script that will be saved as ``path``, which is no file yet."""
        editor = self.new(name=path.name)
        editor.path = path
        self._update_titles()
        return editor

    def open(self, path: Path) -> CodeEditor | None:
        """Open a file, or show it when it is open already; problems become a notice."""
        path = path.resolve()
        editor = self.editor_of(str(path))
        if editor is None:
            try:
                file = read_script(path)
            except (OSError, UsageError) as problem:
                self.notice.emit(str(problem))
                return None
            if is_converted(path):
                return self._open_converted(path, file)
            if file.warning:
                self.notice.emit(file.warning)
            editor = CodeEditor(file, path)
            self._add(editor)
            self._watcher.addPath(str(path))
            if editor.large:
                self.notice.emit(f"{path.name} is large: shown without colours, folds and remarks")
        self.tabs.setCurrentWidget(editor)
        return editor

    def _open_converted(self, path: Path, file: TextFile) -> CodeEditor:
        """Begin a live script with what a file of another format holds, which stays as it is."""
        target = path.with_suffix(".m")
        number = 1
        while target.exists() or self.editor_of(str(target)) is not None:
            number += 1
            target = path.with_name(f"{path.stem}_{number}.m")
        editor = CodeEditor(file_writing.NEW_FILE, None)
        editor.path, editor.untitled = target, target.name
        editor.setText(file.text)
        self._add(editor)
        self.notice.emit(f"{path.name} was read; saving writes the live script {target.name}")
        return editor

    def _add(self, editor: CodeEditor) -> None:
        editor.modified_changed.connect(self._update_titles)
        editor.breakpoints_changed.connect(self.breakpoints_changed)
        editor.modified_changed.connect(self.edited)
        editor.linesAdded.connect(self.edited)
        editor.uriDropped.connect(self._on_drop)
        editor.travelled.connect(self.travelled)
        self._join(editor)
        index = self.tabs.addTab(editor, editor.name)
        self._stack.setCurrentWidget(self.split)
        self.tabs.setCurrentIndex(index)
        self._update_titles()
        self.editor_added.emit(editor)

    def is_unsaved(self, editor: CodeEditor) -> bool:
        """Whether an editor's text is in no file: changed, never saved, or its file has gone."""
        typed = editor.path is None and not editor.readOnly()
        return editor.modified_text or typed or editor in self._gone

    def save(self, editor: CodeEditor, path: Path | None = None) -> bool:
        """Write an editor's text to its file, or to ``path`` from now on."""
        target = path or editor.path
        if target is None:
            return False
        if target == editor.path and not self._may_overwrite(editor):
            return False
        self.saving.emit(editor)
        tidy(editor, self.settings)
        file = TextFile(editor.text(), editor.file.encoding, editor.file.newline)
        if file.text == editor.file.text and target == editor.path and target.exists():
            editor.setSavePoint()  # the file stays byte for byte, mixed line ends too
            return True
        protected = file_writing.is_protected(target)
        answer = self.ask_about_protected(self, target) if protected else Protected.OVERWRITE
        if answer is Protected.ELSEWHERE:
            return save_as(self, editor, self.save, self.folder)
        if answer is Protected.NOTHING:
            self.notice.emit(f"{target.name} is write-protected and was not saved")
            return False
        self._watcher.removePath(str(target))
        try:
            written = file_writing.write(target, file, protected=protected)
        except (OSError, UsageError) as problem:
            self.notice.emit(f"{target} could not be saved: {reason_of(problem)}")
            return False
        if written.encoding != file.encoding:
            self.notice.emit(f"{target.name} now holds characters beyond Latin-1: saved as UTF-8")
        editor.file, editor.path = written, target.resolve()
        self._gone.discard(editor)
        self._watcher.addPath(str(editor.path))
        editor.setSavePoint()
        self._update_titles()
        return True

    def _may_overwrite(self, editor: CodeEditor) -> bool:
        """Whether a file is still as it was read, or the user wants it overwritten all the same."""
        if editor.path is None or not editor.path.exists():
            return True
        try:
            theirs = textfile.read(editor.path)
        except (OSError, UsageError):
            return True  # nothing that could be kept: writing says what is wrong
        if theirs.text in (editor.file.text, editor.text()):
            return True
        choice = self.ask_about_conflict(self, editor)
        if choice is Choice.THEIRS:
            self._take(editor, theirs)
        elif choice is Choice.COMPARE:
            shown = differences(editor.text(), theirs.text, editor.path.name)
            self._show_reading(shown, f"differences of {editor.path.name}")
        return choice is Choice.MINE

    def follow_file(self, old: Path, new: Path) -> None:
        """A file has another name now: an editor that shows it goes on with that."""
        editor = self.editor_of(str(old))
        if editor is not None:
            self._watcher.removePath(str(old))
            editor.path = new
            self._watcher.addPath(str(new))
            self._update_titles()

    def close_tab(self, index: int) -> None:
        """Close a tab; unsaved text stays in the journal until the session ends."""
        self.close_editors(self.editors()[index : index + 1])

    def close_editors(self, editors: Sequence[CodeEditor]) -> None:
        """Close files, after one question about those that are changed."""
        from app.ui.editor.unsaved_dialog import ask_about_unsaved

        unsaved = [e for e in editors if e.modified_text or e in self._gone]
        if not unsaved or ask_about_unsaved(self, unsaved, self.save, self.folder):
            for editor in editors:
                self._close(editor)

    def _close(self, editor: CodeEditor) -> None:
        self._gone.discard(editor)
        if editor.path is not None:
            self._watcher.removePath(str(editor.path))
        typed_here = self.isAncestorOf(QApplication.focusWidget() or self)
        self.tabs.removeTab(self.tabs.indexOf(editor))
        second = self.split.second
        if second is not None and second.main is editor:
            self.split.show_second(self.split.front())
        self.editor_closing.emit(editor)
        editor.deleteLater()
        self._update_titles()
        if not self.tabs.count():
            self._stack.setCurrentIndex(0)
        if typed_here:
            self._hand_on_keyboard()

    def _hand_on_keyboard(self) -> None:
        """The keyboard goes to the file that is in front now, or leaves."""
        following = self.current()
        if following is None:
            self.emptied.emit()
        else:
            following.setFocus()

    def _file_changed(self, name: str) -> None:
        """Another program changed the file: take its text unless ours was edited."""
        editor = self.editor_of(name)
        path = Path(name)
        if editor is None:
            return
        if not path.exists():
            QTimer.singleShot(GONE_MS, editor, partial(self._look_again, editor, path))
            return
        self._watcher.addPath(name)
        self._gone.discard(editor)
        try:
            file = textfile.read(path)
        except (OSError, UsageError) as problem:
            self.notice.emit(f"{path.name} was changed on disk: {reason_of(problem)}")
            return
        if file.text == editor.text():
            return
        if editor.modified_text:
            self.notice.emit(f"{path.name} was changed on disk; your unsaved text is kept")
            return
        self._take(editor, file)
        self.notice.emit(f"{path.name} was changed on disk and has been read again")

    def _look_again(self, editor: CodeEditor, path: Path) -> None:
        """Others replace a file by taking it away first; what stays away is only here."""
        if editor.path != path:
            return
        if path.exists():
            self._file_changed(str(path))
            return
        self._gone.add(editor)
        self._update_titles()
        self.edited.emit()  # no file holds the text any more: it is unsaved
        self.notice.emit(f"{path.name} was deleted on disk; its text is kept here")

    def _take(self, editor: CodeEditor, file: TextFile) -> None:
        """Show what is on the disk."""
        change_to(editor, file.text)
        editor.file = file
        editor.setSavePoint()

    # --- tabs -------------------------------------------------------------------------

    def offer_menu(self, view: CodeEditor) -> None:
        """Ask for a menu where one is wanted in a view."""
        view.menu_wanted.connect(partial(self._on_menu, view))

    def _on_menu(self, view: CodeEditor, place: QPoint) -> None:
        self.menu_wanted.emit(view, view.mapToGlobal(place))

    def _on_drop(self, address: str) -> None:
        self.file_dropped.emit(Path(QUrl(address).toLocalFile()))

    def _on_view(self) -> None:
        self.find_bar.attach(self.focused())
        self.current_changed.emit()

    def _update_titles(self) -> None:
        editors = self.editors()
        metrics = self.tabs.tabBar().fontMetrics()
        names = distinct_names([editor.path or Path(editor.name) for editor in editors])
        for index, (editor, name) in enumerate(zip(editors, names, strict=True)):
            gone = " (deleted)" if editor in self._gone else ""
            short = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, WIDEST_NAME)
            self.tabs.setTabText(index, short + gone + (" •" if editor.modified_text else ""))
            kind = "file-m" if is_program(editor.path) else "file"
            self.tabs.setTabIcon(index, icon(kind, "muted"))
            self.tabs.setTabToolTip(index, str(editor.path or "Not saved yet"))
        self.split.show_name()
        self.titles_changed.emit()

    def close_view(self) -> None:
        """Close the second view where the keyboard is there, else the tab in front."""
        if isinstance(self.focused(), SecondView):
            self.split.show_second(None)
        else:
            self.close_tab(self.tabs.currentIndex())

    def cycle(self, step: int) -> None:
        """Show the next (1) or previous (-1) tab."""
        count = self.tabs.count()
        if count:
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % count)
