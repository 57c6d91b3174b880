"""Completion and call tips while typing, for editors and for the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from pyside6_scintilla import Scintilla

from app.ui.editor.popups import dress_popups
from app.ui.editor.surface import Surface
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.support.theme import scintilla_colour, theme

if TYPE_CHECKING:
    from app.engine.session.language_service import SignatureHelp

_WORD = re.compile(r"([A-Za-z]\w*|)$")
_FIELD = re.compile(r"[A-Za-z]\w*\.$")
_FILE = re.compile(
    r"\b(?:load|save|open|edit|run|cd|fopen|imread|readtable|readmatrix|csvread|importdata|type)"
    r"\s*\(\s*['\"](?P<typed>[^'\"]*)$"
)
_OPTION = re.compile(r"[(,]\s*['\"]\w*$")
SEPARATOR, GAP = "\n", "   "
LEAST_LETTERS = 2
MOST_CANDIDATES = 200
Describe = Callable[..., Text]
Detail = Callable[[str], str]


class Completion(QObject):
    """Offers what may come next at the caret of ``surface``.

    ``describe`` gives the text, if the ``whole`` is wanted, and what is known around it; ``detail``
    a few words about a name, such as size and class of a variable.
    """

    def __init__(
        self,
        surface: Surface,
        client: LanguageClient,
        describe: Describe,
        detail: Detail = lambda _name: "",
    ) -> None:
        super().__init__(surface)
        self._detail = detail
        self._surface = surface
        self._client = client
        self._describe = describe
        self._topic = f"completion-{id(surface)}"
        surface.autoCSetIgnoreCase(True)
        surface.autoCSetOrder(Scintilla.Ordering.Custom)
        surface.autoCSetMaxHeight(10)
        surface.autoCSetAutoHide(True)
        surface.autoCSetDropRestOfWord(True)
        surface.autoCSetSeparator(ord("\n"))
        surface.autoCSetMaxWidth(0)
        surface.charAdded.connect(self._on_char)
        surface.autoCompleteSelection.connect(self._on_selected)

    def complete(self, least: int = 1) -> None:
        """Offer completions for the word before the caret."""
        if self._complete_file():
            return
        typed = _WORD.search(self._line_before())
        named = _OPTION.search(self._line_before())
        if named is None and (typed is None or len(typed.group(1)) < least or self._in_text()):
            return
        surface, position = self._surface, self._surface.currentPos()
        text = self._describe(whole=surface.textLength() <= queries.QUICK)
        offset = surface.offset_of(position)
        question = partial(queries.completions, text, self._line_before(), offset)
        self._client.ask(self._topic, question, partial(self._show, position))

    def _complete_file(self) -> bool:
        """Offer files where a text names one; True when the caret is in such a text."""
        found = _FILE.search(self._line_before())
        folder = self._describe(whole=False).folder if found else None
        if found is None or folder is None:
            return False
        typed = found["typed"]
        names = file_names(folder, typed)
        if names and self._surface.hasFocus():
            part = typed.rsplit("/", 1)[-1]
            self._offer(part, names)
        return True

    def _on_selected(self, position: int, text: str) -> None:
        """Insert the name alone, without the words beside it."""
        name, gap, _detail = text.partition(GAP)
        if gap:
            surface = self._surface
            surface.autoCCancel()
            surface.setTargetRange(position, surface.wordEndPosition(surface.currentPos(), True))
            surface.replaceTarget(len(name.encode()), name)
            surface.gotoPos(position + len(name.encode()))

    def _on_char(self, character: int) -> None:
        if character in (ord("("), ord(",")):
            question = partial(queries.signature_help, self._line_before())
            self._client.ask(self._topic + "-tip", question, self._show_tip)
        elif character == ord(".") and _FIELD.search(self._line_before()):
            self.complete(0)
        elif character in (ord(")"), ord("\n")):
            self._surface.callTipCancel()
        elif character in (ord("'"), ord('"'), ord("/")):
            self._complete_file()
        elif re.match(r"\w", chr(character)) and not self._surface.autoCActive():
            self.complete(LEAST_LETTERS)

    def _line_before(self) -> str:
        position = self._surface.currentPos()
        start = self._surface.positionFromLine(self._surface.lineFromPosition(position))
        return self._surface.slice(start, position)

    def _in_text(self) -> bool:
        """True inside comments and strings."""
        style = self._surface.styleAt(max(self._surface.currentPos() - 1, 0))
        return self._surface.language.styles.get(style) in ("comment", "string")

    def _show(self, position: int, answer: tuple[str, list[str]]) -> None:
        typed, found = answer
        if position == self._surface.currentPos() and found and self._surface.hasFocus():
            self._offer(typed, [self._row(name) for name in found[:MOST_CANDIDATES]])

    def _offer(self, typed: str, rows: list[str]) -> None:
        self._surface.autoCShow(len(typed.encode()), SEPARATOR.join(rows[:MOST_CANDIDATES]))
        dress_popups()

    def _row(self, name: str) -> str:
        detail = self._detail(name)
        return f"{name}{GAP}{detail}" if detail else name

    def _show_tip(self, answer: SignatureHelp | None) -> None:
        if answer is None or not self._surface.hasFocus() or self._surface.autoCActive():
            return
        text, start, end = tip_text(answer)
        surface, current = self._surface, theme()
        surface.callTipUseStyle(0)
        surface.callTipSetForeHlt(scintilla_colour(current["accent"]))
        surface.callTipShow(surface.currentPos(), text)
        surface.callTipSetHlt(start, end)
        dress_popups()


def file_names(folder: Path, typed: str) -> list[str]:
    """Files and folders that may complete a path being typed, folders with a stroke behind."""
    inner, _, part = typed.rpartition("/")
    place = folder / inner
    if not place.is_dir():
        return []
    found = (p for p in place.iterdir() if p.name.startswith(part) and not p.name.startswith("."))
    return sorted(f"{p.name}/" if p.is_dir() else p.name for p in found)


def tip_text(answer: SignatureHelp) -> tuple[str, int, int]:
    """The call tip, and the bytes of the argument being typed."""
    form = best_form(answer)
    start, end = argument_range(form, answer.argument)
    text = f"{form}\n{answer.summary}"
    return text, len(text[:start].encode()), len(text[:end].encode())


def best_form(answer: SignatureHelp) -> str:
    """The first call form with room for the argument being typed."""
    for form in answer.signatures:
        if form.partition("(")[2].count(",") >= answer.argument or "..." in form:
            return form
    return answer.signatures[-1] if answer.signatures else answer.name


def argument_range(form: str, argument: int) -> tuple[int, int]:
    """Where argument number ``argument`` stands in a call form."""
    start = form.rfind("(") + 1
    closing = form.find(")", start)
    for _ in range(argument):
        comma = form.find(",", start, closing)
        if comma < 0:
            break
        start = comma + 1
    end = form.find(",", start, closing)
    end = closing if end < 0 else end
    start += len(form[start:end]) - len(form[start:end].lstrip())
    return start, end
