"""Large unsaved texts of the session, each in a file of its own that a thread writes."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from weakref import WeakKeyDictionary, WeakSet

from app import paths
from app.errors import reason_of
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.limits import LARGE_TEXT


class TextJournal:
    """Keeps the texts of editors in a folder: as they are when ``keep`` is called, soon after.

    Attributes:
        problem: what kept the last text from the disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: WeakKeyDictionary[CodeEditor, str] = WeakKeyDictionary()
        self._changed: WeakSet[CodeEditor] = WeakSet()
        self._pool: ThreadPoolExecutor | None = None
        self._writing: Future[None] | None = None
        self.problem = ""

    @staticmethod
    def takes(editor: CodeEditor) -> bool:
        """Whether a text is too large for the file of the session."""
        return bool(editor.textLength() > LARGE_TEXT)

    @property
    def is_behind(self) -> bool:
        """Whether something changed while an older text was written: ``keep`` it again."""
        return bool(self._changed)

    def keep(self, editor: CodeEditor) -> str:
        """The name of the file that has the text of an editor, or will have it soon."""
        if editor not in self._names:
            self._begin(editor, self._free_name())
            self._changed.add(editor)
        name = self._names[editor]
        busy = self._writing is not None and not self._writing.done()
        if editor in self._changed and not busy:
            self._changed.discard(editor)
            self._write(name, editor)
        return name

    def adopt(self, editor: CodeEditor, name: str) -> None:
        """An editor shows what a file of the journal has."""
        self._begin(editor, name)

    def text(self, name: str) -> str:
        """What a file of the journal holds; OSError and ValueError where it is no text.

        A file that cannot be read stays, under another name.
        """
        if Path(name).name != name:
            raise ValueError(f"{name} is not a file of the journal")
        try:
            return paths.content(self._folder / name).decode("utf-8")
        except (OSError, ValueError):
            paths.set_aside(self._folder / name)
            raise

    def drop_others(self, names: set[str]) -> None:
        """Remove the texts that no session needs any more."""
        with suppress(OSError):
            for file in list(self._folder.iterdir()):
                if file.name not in names and file.suffix == ".txt":
                    file.unlink(missing_ok=True)

    def set_aside(self) -> None:
        """Keep all texts for whoever looks for them; nothing will remove them."""
        if self._folder.exists():
            paths.set_aside(self._folder)

    def close(self) -> None:
        """Write what is not written yet, and wait for it."""
        if self._pool is not None:
            for editor in list(self._changed):
                self._write(self._names[editor], editor)
            self._pool.shutdown(wait=True)
            self._pool = None
        self._changed.clear()

    def _begin(self, editor: CodeEditor, name: str) -> None:
        self._names[editor] = name
        changed = self._changed
        editor.modified.connect(lambda *_what: changed.add(editor))

    def _free_name(self) -> str:
        taken = set(self._names.values())
        numbers = (f"text{number}.txt" for number in range(1, len(taken) + 1000))
        return next(n for n in numbers if n not in taken and not (self._folder / n).exists())

    def _write(self, name: str, editor: CodeEditor) -> None:
        body = bytes(editor.textRange(0, editor.textLength()).data())
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, "text journal")
        self._writing = self._pool.submit(self._put, name, body)

    def _put(self, name: str, body: bytes) -> None:
        self.problem = ""
        try:
            paths.write_private(self._folder / name, body)
        except OSError as found:
            self.problem = reason_of(found)
