"""What survives the window: open files, unsaved text, what stands at the prompt, carets, layouts,
theme, breakpoints.

Unsaved text is journaled within ``JOURNAL_MS`` of an edit, so that a killed process loses at
most that much. Broken files are renamed aside and told about, never fatal.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer

from app.digests import text_digest
from app.engine.protocol import KeepFigures, RecallFigures
from app.errors import reason_of
from app.paths import check_file, is_file, set_aside, write_private
from app.textfile import TextFile
from app.ui.editor import folding
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.text_changes import change_to
from app.ui.shell.panel_catalogue import FIGURES
from app.ui.shell.session_shape import sound
from app.ui.shell.text_journal import TextJournal

if TYPE_CHECKING:
    from app.ui.editor.area import EditorArea
    from app.ui.shell.main_window import MainWindow

JOURNAL_MS = 1500
SCHEMA = 2
MOST_RECENT = 40
State = dict[str, Any]


class SessionStore(QObject):
    """Keeps the session in ``folder``; without one (tests, pictures) it remembers nothing."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self._folder = folder
        self._digests: WeakKeyDictionary[CodeEditor, tuple[TextFile, str]] = WeakKeyDictionary()
        self._texts = TextJournal((folder or Path()) / "unsaved")
        self.state: State = {}
        self.problem = self._unkept = ""
        self._window: MainWindow | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.save)
        self._load()

    @property
    def history_file(self) -> Path | None:
        """Where the command history is kept."""
        return None if self._folder is None else self._folder / "history.txt"

    @property
    def _file(self) -> Path | None:
        return None if self._folder is None else self._folder / "session.json"

    def _load(self) -> None:
        if self._file is None or not self._file.exists():
            return
        try:
            check_file(self._file)
            state = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as problem:
            kept = self._set_aside(self._file)
            self.problem = f"The last session could not be read ({problem}); kept as {kept}"
            return
        if not isinstance(state, dict):
            kept = self._set_aside(self._file)
            self.problem = f"The file of the last session is not a session; kept as {kept}"
            return
        fresh: State = {"schema": SCHEMA}
        self.state, wrong = sound(state) if state.get("schema") == SCHEMA else (fresh, ["schema"])
        if wrong:
            kept = set_aside(self._file)  # what was typed may be in it
            parts = ", ".join(wrong)
            self.problem = f"Parts of the last session were damaged: {parts}; it is kept as {kept}"
            self._keep(self._file, json.dumps(self.state).encode())

    def _set_aside(self, file: Path) -> Path:
        """Put a file that is no session out of the way, with the texts it may name."""
        self._texts.set_aside()
        return set_aside(file)

    # --- layouts ------------------------------------------------------------

    def keep_layout(self, name: str, arrangement: State) -> None:
        """Remember how a layout was left."""
        if any(arrangement["areas"].values()):
            self.state.setdefault("layouts", {})[name] = arrangement

    def kept_layout(self, name: str) -> State | None:
        """How a layout was left, if it was used before."""
        kept: State | None = self.state.get("layouts", {}).get(name)
        return kept

    def save_layout(self, name: str, arrangement: State) -> None:
        """Keep an arrangement of the user's own."""
        self.state.setdefault("own_layouts", {})[name] = arrangement

    def own_layouts(self) -> dict[str, State]:
        """The user's own arrangements by name."""
        own: dict[str, State] = self.state.get("own_layouts", {})
        return own

    # --- shortcuts --------------------------------------------------------------------

    def own_keys(self) -> dict[str, str]:
        """The shortcuts a person chose, by command."""
        keys: dict[str, str] = self.state.get("keys", {})
        return keys

    def keep_keys(self, keys: dict[str, str]) -> None:
        """Remember them."""
        self.state["keys"] = keys

    def keep(self, name: str, value: object) -> None:
        """Remember one thing more of the window."""
        self.state[name] = value
        self._store_soon()

    # --- files ------------------------------------------------------------------------

    def remember_file(self, path: Path) -> None:
        """Put a file in front of the recent ones."""
        self.state["recent"] = _first(str(path), self.recent_files())

    def remember_folder(self, path: Path) -> None:
        """Put a folder in front of the recent ones."""
        self.state["recent_folders"] = _first(str(path), self.recent_folders())

    def recent_folders(self) -> list[str]:
        """Folders that were chosen lately, the newest first."""
        recent: list[str] = self.state.get("recent_folders", [])
        return recent

    def recent_files(self) -> list[str]:
        """Files opened lately, the newest first."""
        recent: list[str] = self.state.get("recent", [])
        return recent

    def face_of(self, editor: CodeEditor) -> str:
        """Which face of a file was shown last: ``document`` or ``code``; empty for a new one."""
        faces: dict[str, str] = self.state.get("faces", {})
        return faces.get(str(editor.path or editor.untitled), "")

    def keep_face(self, editor: CodeEditor, face: str) -> None:
        """Remember it."""
        name = str(editor.path or editor.untitled)
        self.keep("faces", {**self.state.get("faces", {}), name: face})

    # --- the window -------------------------------------------------------------------

    def attach(self, window: MainWindow) -> None:
        """Save ``window``'s session whenever something was edited."""
        self._window = window
        window.editors.edited.connect(self._store_soon)
        window.editors.current_changed.connect(self._store_soon)
        window.editors.breakpoints_changed.connect(self._store_soon)
        window.editors.zoomed.connect(self._store_soon)
        window.editors.split.opened.connect(self._store_soon)
        window.editors.caret_moved.connect(self._if_modified)
        window.command_window.input.edited.connect(self._store_soon)
        for changed in (window.docks.arranged, window.docks.visibility_changed):
            changed.connect(self._store_soon)
        window.run_model.run_finished.connect(self._keep_figures)

    def detach(self) -> None:
        """Save no more."""
        self._timer.stop()
        self._texts.close()
        self._window = None

    def _keep_figures(self) -> None:
        window, folder = self._window, self._folder
        figures = window.docks.made(FIGURES) if window is not None else None
        if window is not None and folder is not None and figures is not None:
            window.bridge.post(KeepFigures(str(folder / "figures"), figures.recalled))

    def _if_modified(self) -> None:
        editor = self._window.editors.current() if self._window else None
        if editor is not None and editor.modified_text:
            self._store_soon()

    def _store_soon(self) -> None:
        if self._folder is not None and not self._timer.isActive():
            self._timer.start(JOURNAL_MS)

    def save(self) -> None:
        """Write the session, whole or not at all."""
        window, file = self._window, self._file
        if window is None or file is None:
            return
        self.keep_layout(window.layout_name, window.docks.save())
        command = window.command_window.input
        self.state |= {
            "schema": SCHEMA,
            "geometry": window.geometry().getRect(),
            "maximized": window.isMaximized(),
            "layout": window.layout_name,
            "folder": str(window.current_folder),
            "breakpoints": window.breakpoints.loose,
            "zoom": window.editors.zoom,
            "current": window.editors.tabs.currentIndex(),
            "files": [self._editor_state(window.editors, e) for e in window.editors.editors()],
            "split": window.editors.split.kept(),
            "prompt": "" if command.asking else command.text(),
        }
        self._keep(file, json.dumps(self.state).encode())
        self._texts.drop_others({one["text_file"] for one in self.state["files"]})
        if self._texts.is_behind:
            self._store_soon()

    def _editor_state(self, editors: EditorArea, editor: CodeEditor) -> State:
        is_kept = editors.is_unsaved(editor)
        is_large = is_kept and self._texts.takes(editor)
        return {
            "path": str(editor.path) if editor.path else "",
            "name": editor.untitled,
            "text": editor.text() if is_kept and not is_large else None,
            "text_file": self._texts.keep(editor) if is_large else "",
            "digest": self._digest_of(editor) if is_kept else "",
            "caret": editor.currentPos(),
            "top": editor.firstVisibleLine(),
            "breakpoints": editor.stops.save(),
            "folds": folding.folds(editor),
        }

    def _keep(self, file: Path, body: bytes) -> None:
        """Write the session; what keeps it from the disk is said once for each reason."""
        problem = self._texts.problem
        try:
            write_private(file, body)
        except OSError as found:
            problem = reason_of(found)
        if problem not in {"", self._unkept} and self._window is not None:
            text = f"Unsaved text and open files cannot be saved for the next start: {problem}"
            self._window.notify(text, "warning")
        self._unkept = problem

    def restore(self, window: MainWindow) -> None:
        """Bring back what the last session left."""
        window.editors.set_zoom(self.state.get("zoom", 0))
        window.breakpoints.loose = dict(self.state.get("breakpoints", {}))
        for kept in self.state.get("files", ()):
            self._restore_editor(window, kept)
        window.editors.tabs.setCurrentIndex(self.state.get("current", -1))
        window.editors.split.bring_back(self.state.get("split"))
        window.command_window.input.put(self.state.get("prompt", ""))
        if not self.state.get("times", True):
            window.run_annotations.want_times(on=False)
        window.commands.actions["view.times"].setChecked(window.run_annotations.times_wanted)
        if self._folder is not None and (self._folder / "figures").exists():
            window.bridge.post(RecallFigures(str(self._folder / "figures")))
        if self.problem:
            window.notify(self.problem, "error")

    def _unsaved_text(self, window: MainWindow, name: str) -> str | None:
        try:
            return self._texts.text(name)
        except (OSError, ValueError) as problem:
            window.notify(
                f"A text that was not saved cannot be read: {reason_of(problem)}", "error"
            )
            return None

    def _digest_of(self, editor: CodeEditor) -> str:
        """What tells the text of an editor's file from others."""
        file, digest = self._digests.get(editor, (None, ""))
        if file is not editor.file:
            digest = text_digest(editor.file.text)
            self._digests[editor] = editor.file, digest
        return digest

    def _restore_editor(self, window: MainWindow, kept: State) -> None:
        path, text_file = kept["path"], kept.get("text_file", "")
        text = self._unsaved_text(window, text_file) if text_file else kept["text"]
        if path and is_file(path):
            editor = window.editors.open(Path(path))
        elif text is not None:  # never saved, or its file has gone
            editor = window.editors.new(text, kept["name"] or Path(path).name)
        else:
            editor = None
        if editor is None:
            return
        if editor.path is not None and text is not None and text != editor.text():
            if kept.get("digest", "") != self._digest_of(editor):
                # What was typed had another beginning: saving it will ask whose text is to stay.
                editor.file = replace(editor.file, text="")
                window.notify(
                    f"{editor.name} has changed on disk since this text was typed", "warning"
                )
            change_to(editor, text)  # only what was typed is marked as changed
        if text_file and text is not None:
            self._texts.adopt(editor, text_file)
        editor.stops.restore(kept["breakpoints"])
        folding.fold_lines(editor, kept.get("folds", ()))
        editor.gotoPos(kept["caret"])
        editor.setFirstVisibleLine(kept["top"])


def _first(name: str, others: list[str]) -> list[str]:
    return [name, *(other for other in others if other != name)][:MOST_RECENT]
