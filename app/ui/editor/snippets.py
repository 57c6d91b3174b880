"""Pieces of code with places to fill in, from the list of completions; Tab goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import Scintilla

from app import log, paths, tomlfile
from app.errors import UsageError
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import Surface, indicated
from app.ui.support.resources import resource

if TYPE_CHECKING:
    from app.engine.session.language_service import Completion

FILE = "snippets.toml"
_FIRST, _LAST = 100, 101
"""Marks of the ends of a snippet, beside the numbers of its places."""
_PLACE = re.compile(r"\$\{(\d):([^}]*)\}")


@dataclass(frozen=True)
class Snippet:
    """A piece of code: ``${1:name}`` is a place to fill in; the caret ends behind it."""

    name: str
    about: str
    body: str


@cache
def snippets() -> dict[str, Snippet]:
    """Those that come with the program, and the person's own in ``snippets.toml``."""
    found = _snippets_of_entries(tomlfile.read(resource("snippets", FILE)))
    own = paths.config_dir() / FILE
    if own.is_file():
        try:
            found |= _snippets_of_entries(tomlfile.read(own))
        except UsageError as problem:
            log.topic("ui").warning("%s", problem)
    return found


def _snippets_of_entries(entries: dict[str, object]) -> dict[str, Snippet]:
    """Raises UsageError where an entry is no snippet."""
    made = {}
    for name, entry in entries.items():
        given = entry if isinstance(entry, dict) else {}
        about, body = given.get("about", ""), given.get("body")
        if not (isinstance(about, str) and isinstance(body, str)):
            raise UsageError(f"the snippet {name} must have a text 'body', and may have 'about'")
        made[name] = Snippet(name, about, body.rstrip("\n"))
    return made


class Snippets:
    """Puts snippets into a surface and leads through their places.

    A place is marked until it is filled in and left; Escape ends it.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._active = False
        surface.indicSetStyle(Indicator.PLACEHOLDER, Scintilla.IndicatorStyle.Hidden)
        surface.key_handlers.insert(0, self.on_key)

    @property
    def active(self) -> bool:
        """True while places wait to be filled in."""
        return self._active

    def candidates(self) -> tuple[Completion, ...]:
        """All of them, for the list of completions."""
        from app.engine.session.language_service import Completion

        return tuple(Completion(s.name, "snippet", s.about) for s in snippets().values())

    def plain(self, name: str) -> str:
        """The code of a snippet as it comes into the text."""
        return _PLACE.sub(lambda m: m[2], snippets()[name].body)

    def insert(self, name: str, position: int) -> None:
        """Put a snippet at a position, indented as its line, and select its first place."""
        surface = self._surface
        line = surface.lineFromPosition(position)
        blanks = "\n" + surface.blanks(surface.lineIndentation(line))
        body = snippets()[name].body.replace("    ", surface.blanks(surface.indent()) or "    ")
        body = body.replace("\n", blanks)
        text, places, done = "", [], 0
        for found in _PLACE.finditer(body):
            text += body[done : found.start()]
            number, inner = int(found[1]), found[2]
            places.append((number, len(text.encode()), len(inner.encode())))
            text += inner
            done = found.end()
        text += body[done:]
        surface.insertText(position, text)
        surface.setIndicatorCurrent(Indicator.PLACEHOLDER)
        marks = [(_FIRST, 0, 1), (_LAST, len(text.encode()) - 1, 1), *places]
        for number, start, length in marks:
            surface.setIndicatorValue(number)
            surface.indicatorFillRange(position + start, length)
        surface.setIndicatorValue(1)
        surface.gotoPos(position + len(text.encode()))
        self._active = True
        self._select_next_place()

    def on_key(self, event: QKeyEvent) -> bool:
        """Tab goes to the next place, Escape gives the rest up."""
        if not self._active or event.modifiers():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._forget()
            return False
        return event.key() == Qt.Key.Key_Tab and self._select_next_place()

    def _select_next_place(self) -> bool:
        """Select the next place that waits, or go behind the snippet; False when it was left."""
        surface = self._surface
        marked = sorted(
            (surface.indicatorValueAt(Indicator.PLACEHOLDER, start), start, end)
            for start, end in indicated(surface, Indicator.PLACEHOLDER)
        )
        whole = [(start, end) for number, start, end in marked if number in (_FIRST, _LAST)]
        last = max((end for _, _, end in marked), default=0)
        if not whole or not whole[0][0] <= surface.currentPos() <= last:
            self._forget()
            return False
        number, start, end = marked[0]
        if number in (_FIRST, _LAST):
            self._forget()
            surface.gotoPos(last)
            return True
        surface.setIndicatorCurrent(Indicator.PLACEHOLDER)
        surface.indicatorClearRange(start, end - start)
        surface.setSelection(end, start)
        return True

    def _forget(self) -> None:
        self._active = False
        self._surface.clear_indicator(Indicator.PLACEHOLDER)
