"""Renaming in many files: open ones as an edit that can be undone, the others on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app import textfile
from app.errors import UsageError, reason_of
from app.ui.editor import file_writing
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.semantic_colouring import byte_spans
from app.ui.editor.text_changes import one_step, replace_range

if TYPE_CHECKING:
    from app.engine.session.language_service import Occurrence, Renaming
    from app.ui.shell.main_window import MainWindow


def rename_places(
    window: MainWindow, renaming: Renaming, new: str, places: Sequence[Occurrence]
) -> None:
    """Put ``new`` into the places, and rename the file of a function; the window says how many."""
    files: dict[str, list[Occurrence]] = {}
    for place in places:
        files.setdefault(place.file, []).append(place)
    changed, problems = 0, []
    for file, found in files.items():
        editor = window.editors.editor_of(file)
        try:
            changed += (
                _in_file(Path(file), renaming.name, new, found)
                if editor is None
                else _in_editor(window, editor, renaming.name, new, found)
            )
        except (OSError, UsageError) as problem:
            problems.append(f"{Path(file).name}: {reason_of(problem)}")
    if renaming.home is not None:
        problems += _rename_file(window, renaming.home, renaming.home.with_stem(new))
    told = f"{renaming.name} is now {new} in {changed} places of {len(files)} files"
    window.notify("; ".join([told, *problems]), "error" if problems else "info")


def _in_editor(
    window: MainWindow, editor: CodeEditor, old: str, new: str, places: Sequence[Occurrence]
) -> int:
    """Change an open text; what had no changes of its own is saved, as the other files are."""
    text, changed, was_saved = editor.text(), 0, not editor.modified_text
    spans = [p.span for p in places if text[p.span.start : p.span.end] == old]
    with one_step(editor):
        for start, end in sorted(byte_spans(text, spans), reverse=True):
            replace_range(editor, start, end, new)
            changed += 1
    if was_saved and editor.path is not None:
        window.editors.save(editor)
    return changed


def _in_file(file: Path, old: str, new: str, places: Sequence[Occurrence]) -> int:
    found, changed = textfile.read(file), 0
    text = found.text
    for place in sorted(places, key=lambda p: p.span.start, reverse=True):
        if text[place.span.start : place.span.end] == old:
            text = text[: place.span.start] + new + text[place.span.end :]
            changed += 1
    file_writing.write(file, replace(found, text=text))
    return changed


def _rename_file(window: MainWindow, old: Path, new: Path) -> list[str]:
    """Move a file, open or not; what went wrong."""
    try:
        old.rename(new)
    except OSError as problem:
        return [f"{old.name} keeps its name: {problem.strerror}"]
    window.editors.follow_file(old, new)
    return []
