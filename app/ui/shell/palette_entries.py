"""What the palette offers: commands, files, recent files, layouts, history, lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.paths import is_file
from app.ui.editor import sections
from app.ui.language_client.client import LanguageClient
from app.ui.run_model.file_search import nearest
from app.ui.shell.actions import Command
from app.ui.shell.command_palette import Entry, Palette

if TYPE_CHECKING:
    from app.ui.editor.code_editor import CodeEditor
    from app.ui.shell.main_window import MainWindow

MOST_FILES = 2000
LOOK_S = 3.0
"""How long files of the current folder are looked for: it may be the whole disk."""
LOOKING = Entry("Looking for files…", "", lambda: None, enabled=False)


class Palettes:
    """Fills the one palette of a window, made when it is first wanted."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.palette: Palette | None = None
        self._client = LanguageClient()
        window.closing.connect(self._client.close)

    def commands(self) -> None:
        """Choose a command."""
        entries = [
            Entry(
                _palette_title(declared),
                self._window.commands.actions[id_].shortcut().toString(),
                partial(self._window.commands.run, id_),
                self._window.commands.actions[id_].isEnabled(),
            )
            for id_, declared in self._window.commands.declared.items()
            if id_ != "view.palette"
        ]
        self._open(entries, "Search commands")

    def files(self) -> None:
        """Choose a file of the current folder."""
        root = self._window.current_folder
        self._open([LOOKING], f"Go to a file of {root.name}")
        self._client.ask(
            "files", partial(nearest, root, MOST_FILES, LOOK_S), partial(self._show_files, root)
        )

    def _show_files(self, root: Path, found: list[Path]) -> None:
        if self.palette is not None and self.palette.entries == [LOOKING]:
            open_file = self._window.open_file
            self.palette.fill(
                [Entry(str(p.relative_to(root)), "", partial(open_file, p)) for p in found]
            )

    def layouts(self) -> None:
        """Choose one of the user's own layouts."""
        own = self._window.store.own_layouts()
        self._open(
            [
                Entry(name, "layout", partial(self._window.docks.restore, own[name]))
                for name in sorted(own)
            ],
            "Arrange the panels as in",
        )

    def history(self) -> None:
        """Choose an earlier command, the newest first."""
        console = self._window.command_window
        newest = list(dict.fromkeys(reversed(console.input.history.entries)))
        self._open(
            [Entry(text.replace("\n", " ↵ "), "", partial(self._recall, text)) for text in newest],
            "Search earlier commands",
        )

    def _recall(self, text: str) -> None:
        self._window.command_window.input.put(text)
        self._window.to_command_window()

    def recent(self) -> None:
        """Choose a file that was open lately."""
        recent = [Path(name) for name in self._window.store.recent_files()]
        self._open(
            [
                Entry(p.name, str(p.parent), partial(self._window.open_file, p))
                for p in recent
                if is_file(p)
            ],
            "Open a recent file",
        )

    def lines(self) -> None:
        """Choose a line: by number, or by the title of its section."""
        editor = self._window.editors.current()
        if editor is None:
            return
        titled = {s.first: s.title for s in sections.sections(editor.lines()) if s.title}
        entries = [
            Entry(
                f"{n}  {titled[n]}" if n in titled else str(n),
                "section" if n in titled else "",
                partial(_to_line, editor, n),
            )
            for n in sorted(range(1, editor.lineCount() + 1), key=lambda n: (n not in titled, n))
        ]
        self._open(entries, "Go to a line, or to a section by its title")

    def choose(self, entries: list[tuple[str, str, Callable[[], object]]], prompt: str) -> None:
        """Choose one of a few things: title, note, what happens."""
        self._open([Entry(*entry) for entry in entries], prompt)

    def _open(self, entries: list[Entry], prompt: str) -> None:
        if self.palette is None:
            self.palette = Palette(self._window)
        self.palette.open(entries, prompt)


def _to_line(editor: CodeEditor, line: int) -> None:
    editor.go_to(line)
    editor.setFocus()


def _palette_title(declared: Command) -> str:
    group = declared.menu.split("/")[-1]
    return f"{group}: {declared.title}" if group else declared.title
