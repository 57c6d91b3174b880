"""Pieces of code with places to fill in, from the list of completions; Tab goes on."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import Scintilla

from app import log, paths
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import Surface
from app.ui.support.resources import resource_text

if TYPE_CHECKING:
    from app.engine.session.language_service import Completion

FILE = "snippets.toml"
_PLACE = re.compile(r"\$(?:(\d)|\{(\d):([^}]*)\})")


@dataclass(frozen=True)
class Snippet:
    """A piece of code: ``${1:name}`` is a place to fill in, ``$0`` where the caret ends."""

    name: str
    about: str
    body: str


@cache
def snippets() -> dict[str, Snippet]:
    """Those that come with the program, and the person's own in ``snippets.toml``."""
    found = dict(_read(resource_text("snippets", FILE)))
    own = paths.config_dir() / FILE
    if own.is_file():
        try:
            found |= _read(own.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError) as problem:
            log.topic("ui").warning("%s cannot be read: %s", own, problem)
    return found


def _read(text: str) -> dict[str, Snippet]:
    return {
        name: Snippet(name, entry.get("about", ""), entry["body"].rstrip("\n"))
        for name, entry in tomllib.loads(text).items()
    }


class Snippets:
    """Puts snippets into a surface and leads through their places.

    A place is marked until it is filled in and left; Escape ends it.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._left = 0
        surface.indicSetStyle(Indicator.PLACEHOLDER, Scintilla.IndicatorStyle.Hidden)
        surface.key_handlers.insert(0, self.on_key)

    def candidates(self) -> tuple[Completion, ...]:
        """All of them, for the list of completions."""
        from app.engine.session.language_service import Completion

        return tuple(Completion(s.name, "snippet", s.about) for s in snippets().values())

    def plain(self, name: str) -> str:
        """The code of a snippet as it comes into the text."""
        return _PLACE.sub(lambda m: m[3] or "", snippets()[name].body)

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
            number, inner = int(found[1] or found[2]), found[3] or ""
            places.append((number or 9, len(text.encode()), len(inner.encode())))
            text += inner
            done = found.end()
        text += body[done:]
        surface.insertText(position, text)
        surface.setIndicatorCurrent(Indicator.PLACEHOLDER)
        for number, start, length in places:
            if length:
                surface.setIndicatorValue(number)
                surface.indicatorFillRange(position + start, length)
        surface.setIndicatorValue(1)
        surface.gotoPos(position + len(text.encode()))
        self._left = len([p for p in places if p[2]])
        if not self._next() and places:
            surface.gotoPos(position + min(places)[1])

    def on_key(self, event: QKeyEvent) -> bool:
        """Tab goes to the next place, Escape gives the rest up."""
        if not self._left or event.modifiers():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._forget()
            return False
        return event.key() == Qt.Key.Key_Tab and self._next()

    def _places(self) -> list[tuple[int, int, int]]:
        surface = self._surface
        return sorted(
            (surface.indicatorValueAt(Indicator.PLACEHOLDER, start), start, end)
            for start, end in surface.indicated(Indicator.PLACEHOLDER)
        )

    def _next(self) -> bool:
        """Select the next place that waits; False when there is none."""
        surface = self._surface
        waiting = self._places()
        if not waiting or not self._left:
            self._forget()
            return False
        _, start, end = waiting[0]
        surface.setIndicatorCurrent(Indicator.PLACEHOLDER)
        surface.indicatorClearRange(start, end - start)
        surface.setSelection(end, start)
        self._left -= 1
        return True

    def _forget(self) -> None:
        self._left = 0
        self._surface.clear_indicator(Indicator.PLACEHOLDER)
