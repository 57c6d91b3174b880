"""Completion while typing, for editors and for the command line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import Scintilla

from app.ui.editor import explanations
from app.ui.editor.completion_popup import MOST_ROWS, CompletionPopup
from app.ui.editor.snippets import Snippets
from app.ui.editor.surface import MOVED, Surface, is_enter, text_before
from app.ui.editor.text_changes import one_step, replace_range
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Offer, Text

if TYPE_CHECKING:
    from app.engine.session.language_service import Completion, HelpPage

_WORD = re.compile(r"(?<![\w.])[A-Za-z]\w*$")
_FILE = re.compile(
    r"\b(?P<verb>load|save|open|edit|run|cd|fopen|imread|readtable|readmatrix|readcell|csvread|importdata"
    r"|type|dir|ls|delete|exist|isfile|isfolder|addpath|fileread|audioread|imwrite|writetable|what)"
    r"(?:(?:\s*\(\s*|\s+)['\"](?P<quoted>[^'\"]*)|\s+(?P<word>[\w./~-]*))$"
)
_TEXT = re.compile(r"(?:^|[\s(,=\[{])['\"](?P<quoted>[^'\"]*)$")
_OPTION = re.compile(r"[(,=]\s*['\"]\w*$")
_ABOUT_FOLDERS = frozenset(("cd", "addpath", "isfolder"))
LEAST_LETTERS = 2
Describe = Callable[..., Text]
Detail = Callable[[str], str]
Fields = Callable[[str, Callable[[list[tuple[str, str]]], None]], None]


@dataclass
class Known:
    """What an assist is told about the session: small functions that need no text.

    Attributes:
        detail: a few words about a variable, such as its size and class.
        fields: hands over the fields (name, detail) of a value of the workspace, such as ``s.a``.
        accepted: how often names were taken from the list.
        while_typing: the list may come without being asked for.
    """

    detail: Detail = lambda _name: ""
    fields: Fields = lambda _base, _receive: None
    accepted: Counter[str] = field(default_factory=Counter)
    while_typing: bool = True


class Completer(QObject):
    """Offers what may come next at the caret of ``surface``.

    A list that comes by itself takes Tab and the arrows, never Enter, unless an arrow has chosen
    something; one that was asked for takes Enter, too, where what is typed begins the name.
    In a command line Enter always runs.

    ``describe`` gives the text, if the ``whole`` is wanted, and what is known around it.
    """

    def __init__(
        self,
        surface: Surface,
        client: LanguageClient,
        describe: Describe,
        known: Known | None = None,
        *,
        snippets: Snippets | None = None,
        is_command: bool = False,
    ) -> None:
        super().__init__(surface)
        self._surface = surface
        self._client = client
        self._describe = describe
        self._known = known or Known()
        self._snippets = snippets
        self._is_command = is_command
        self._topic = f"completion-{id(surface)}"
        self._start = -1
        self._candidates: tuple[Completion, ...] = ()
        self._uses: Counter[str] = Counter()
        self._asked = self._chosen = False
        self._dismissed = -1
        self._shown_for = ""
        self.popup = CompletionPopup(surface)
        self.popup.taken.connect(self.accept)
        self.popup.help_wanted.connect(self._on_help_wanted)
        surface.key_handlers.insert(0, self.on_key)
        surface.charAdded.connect(self._on_char)
        surface.updateUi.connect(self._on_update)
        surface.installEventFilter(self)

    @property
    def active(self) -> bool:
        """True while candidates are shown."""
        return self.popup.isVisible()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Where the keyboard has gone elsewhere, nothing is offered."""
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Resize):
            self.close()
        return False

    # --- asking -----------------------------------------------------------------------------

    def complete(self, *, asked: bool = True) -> None:
        """Offer completions for what is typed before the caret."""
        surface, position = self._surface, self._surface.currentPos()
        before = self._line_before()
        file = _FILE.search(before) or (_TEXT.search(before) if asked else None)
        if file is not None and not _OPTION_ONLY.search(before):
            typed = file["quoted"] if file["quoted"] is not None else file["word"]
            folder = self._describe(whole=False).folder
            if folder is not None:
                of_folders = file.groupdict().get("verb") in _ABOUT_FOLDERS
                question: Callable[[], Offer] = partial(
                    file_offer, folder, typed, folders_only=of_folders
                )
                self._ask_for_offer(
                    question, position - len(typed.rpartition("/")[2].encode()), asked=asked
                )
                return
        if self._in_text() and not (_OPTION.search(before) or self._in_command(before)):
            return
        text = self._describe(whole=surface.textLength() <= queries.QUICK)
        question = partial(queries.offer, text, before, surface.offset_of(position))
        typed = before[len(before.rstrip(_LETTERS)) :]
        self._ask_for_offer(question, position - len(typed.encode()), asked=asked)

    def _ask_for_offer(self, question: Callable[[], Offer], start: int, *, asked: bool) -> None:
        self._start, self._asked, self._chosen = start, asked, False
        self._candidates = ()
        self._dismissed = -1
        self._client.ask(self._topic, question, partial(self._on_offer, start))

    def _on_offer(self, start: int, offer: Offer) -> None:
        surface = self._surface
        if start != self._start or not surface.hasFocus() or surface.currentPos() < start:
            return
        self._candidates = tuple(map(self._with_detail, offer.candidates))
        self._uses = Counter(offer.uses) + self._known.accepted
        self._show()
        self._ask_for_fields(start)

    def _ask_for_fields(self, start: int) -> None:
        """Fields of a value in the workspace come when the engine has an answer."""
        from app.engine.session import language_service

        wanted = language_service.fields_wanted(self._line_before())
        if wanted is not None:
            self._known.fields(wanted[0], partial(self._on_fields, start))

    def _on_fields(self, start: int, fields: list[tuple[str, str]]) -> None:
        from app.engine.session.language_service import Completion

        if start == self._start and self._surface.hasFocus():
            told = {name for name, _ in fields}
            kept = (c for c in self._candidates if c.label not in told)
            new = (Completion(name, "field", words) for name, words in fields)
            self._candidates = (*kept, *new)
            self._show()

    def _with_detail(self, candidate: Completion) -> Completion:
        from dataclasses import replace

        told = self._known.detail(candidate.label) if candidate.kind == "variable" else ""
        return replace(candidate, detail=told) if told else candidate

    # --- showing ------------------------------------------------------------------------------

    def _typed_text(self) -> str:
        """What is typed of the word so far; the word ends at the caret."""
        return self._surface.slice(self._start, self._surface.currentPos())

    def _show(self) -> None:
        from app.engine.session import language_service

        self._shown_for = typed = self._typed_text()
        candidates: Iterable[Completion] = self._candidates
        if self._snippets is not None and self._begins_statement():
            candidates = (*self._candidates, *self._snippets.candidates())
        found = language_service.ranked_completions(candidates, typed, self._uses)
        if not found or (not self._asked and not self._is_worth_showing(found, typed)):
            self.popup.hide()
            return
        if self._asked and self._is_command and len(found) == 1:
            self._take(found[0])
            return
        self._chosen = False
        letters = [language_service.letters_found(typed, c.label) for c in found]
        entries = [(c, f[1] if f else ()) for c, f in zip(found, letters, strict=True)]
        self.popup.offer(entries, self._surface.place_on_screen(self._start))

    def _is_worth_showing(self, found: list[Completion], typed: str) -> bool:
        """Whether the list is worth showing unasked: not for a word that is whole."""
        whole = typed in {c.label for c in self._candidates if c.kind in ("keyword", "option")}
        return not whole or found[0].kind == "snippet"

    def _begins_statement(self) -> bool:
        surface = self._surface
        first = surface.positionFromLine(surface.lineFromPosition(self._start))
        return not surface.slice(first, self._start).strip()

    def close(self) -> None:
        """Offer nothing more for this word."""
        self._start = -1
        self._candidates = ()
        self._client.forget(self._topic)
        self.popup.hide()

    # --- keys ---------------------------------------------------------------------------------

    def on_key(self, event: QKeyEvent) -> bool:
        """Do what a key means for the list; False when it means nothing to it."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not self.active:
            asks = self._is_command and key == Qt.Key.Key_Tab and not held
            if asks and self._may_complete():
                self.complete()
                return True
            if is_enter(event) or key == Qt.Key.Key_Escape:
                self.close()  # an answer that is still to come has no word to complete then
            return False
        if held:
            return False
        if key in _STEPS and (self._asked or not self._is_command):
            self.popup.step(_STEPS[key])
            self._chosen = True
            return True
        if is_enter(event):
            return self._on_enter()
        if key == Qt.Key.Key_Tab:
            return self._on_tab()
        if key == Qt.Key.Key_Escape:
            self._dismissed = self._start
            self.close()
            return True
        return False

    def _on_enter(self) -> bool:
        """Take what was chosen; a command line runs then, an editor begins a line otherwise."""
        chosen, typed = self.popup.chosen(), self._typed_text()
        begun = chosen is not None and bool(typed) and chosen.label.startswith(typed)
        if self._chosen or (self._asked and begun and not self._is_command):
            self.accept()
            return not self._is_command
        self.close()
        return False

    def _on_tab(self) -> bool:
        """Take the chosen one; inside a snippet an unasked list leaves Tab to its places."""
        filling = self._snippets is not None and self._snippets.active
        if filling and not (self._asked or self._chosen):
            self.close()
            return False
        self.accept()
        return True

    def _may_complete(self) -> bool:
        """True where Tab completes instead of moving on."""
        before = self._line_before()
        return bool(before.strip()) and (before[-1:].isalnum() or before[-1:] in "_./'\"")

    def accept(self) -> None:
        """Put the chosen candidate into the text."""
        chosen = self.popup.chosen()
        if chosen is not None:
            self._take(chosen)

    def _take(self, chosen: Completion) -> None:
        surface, start = self._surface, self._start
        self.close()
        self._known.accepted[chosen.label] += 1
        end = surface.wordEndPosition(surface.currentPos(), True)
        with one_step(surface):
            text, start = self._text_of(chosen, start)
            if chosen.kind == "snippet" and self._snippets is not None:
                surface.deleteRange(start, end - start)
                self._snippets.insert(chosen.label, start)
            else:
                replace_range(surface, start, end, text)
                behind = start + len(text.encode())
                surface.gotoPos(behind - text.endswith("/'"))  # a folder goes on
        if chosen.kind == "file" and chosen.label.endswith("/"):
            self.complete()

    def _text_of(self, chosen: Completion, start: int) -> tuple[str, int]:
        """What a candidate becomes, and from where: a command's file is in quotes if it must be."""
        file = _FILE.search(self._line_before()) if chosen.kind == "file" else None
        if file is None or file["word"] is None or re.fullmatch(r"[^\s'\";,%()]*", chosen.label):
            return chosen.label, start
        folder = file["word"].rpartition("/")[0]
        folder += "/" if folder else ""
        return f"'{folder}{chosen.label}'", start - len(folder.encode())

    # --- typing -------------------------------------------------------------------------------

    def _on_char(self, character: int) -> None:
        letter = chr(character)
        if letter.isalnum() or letter == "_":
            if self._start >= 0:
                self._refresh()
            elif self._known.while_typing:
                self._begin_word()
        elif self._known.while_typing and self._triggers(letter):
            self.close()
            self.complete(asked=False)
        else:
            self.close()

    def _triggers(self, letter: str) -> bool:
        """True for a character behind which a list comes at once: fields, files."""
        if letter == ".":
            return not self._in_text()
        return letter in "'\"/" and bool(_FILE.search(self._line_before()))

    def _begin_word(self) -> None:
        before = self._line_before()
        word = _WORD.search(before)
        if not (_OPTION.search(before) or self._in_command(before)):
            if word is None or len(word[0]) < LEAST_LETTERS:
                self._dismissed = -1  # another word begins
                return
            if self._in_text():
                return
        start = self._surface.currentPos() - len(word[0]) if word else -1
        if start != self._dismissed:
            self.complete(asked=False)

    def _on_update(self, what: int) -> None:
        """The caret moved: narrow the list, or close it where the word has been left."""
        if self._start < 0 or not what & (MOVED | Scintilla.Update.VScroll):
            return
        self._refresh()

    def _refresh(self) -> None:
        surface, position = self._surface, self._surface.currentPos()
        if not self._start <= position or not surface.selectionEmpty():
            self.close()
            return
        typed = self._typed_text()
        gone = not typed and not self._asked and self._at_start() not in _LISTED_BEHIND
        if gone or not re.fullmatch(r"[\w.~-]*", typed) or "\n" in typed:
            self.close()
        elif self._candidates and typed != self._shown_for:
            self._show()

    def _at_start(self) -> str:
        """The letter before the word; empty where the text begins."""
        return chr(self._surface.charAt(self._start - 1) & 0xFF) if self._start > 0 else ""

    def _line_before(self) -> str:
        position = self._surface.currentPos()
        start = self._surface.positionFromLine(self._surface.lineFromPosition(position))
        return self._surface.slice(start, position)

    def _in_text(self) -> bool:
        """True inside comments and strings."""
        from app.engine.session import language_service

        surface = self._surface
        before = text_before(surface, surface.currentPos())
        return not language_service.opens_pair(before, "(")

    def _in_command(self, before: str) -> bool:
        """True in a word behind a command, such as the ``o`` of ``hold o``."""
        from app.engine.session import language_service

        return language_service.command_word(before) is not None

    # --- help ---------------------------------------------------------------------------------

    def _on_help_wanted(self, chosen: Completion) -> None:
        show = partial(self._on_help, chosen)
        if chosen.kind in ("function", "builtin"):
            text = self._describe(whole=self._surface.textLength() <= queries.QUICK)
            question = partial(queries.function_help, text, chosen.label)
            self._client.ask(self._topic + "-help", question, show)
        elif chosen.kind == "snippet" and self._snippets is not None:
            self.popup.show_help(chosen, explanations.code_html(self._snippets.plain(chosen.label)))

    def _on_help(self, chosen: Completion, page: HelpPage | None) -> None:
        if page is not None:
            self.popup.show_help(chosen, explanations.brief_html(page))


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_OPTION_ONLY = re.compile(r",\s*['\"]\w*$")
_LISTED_BEHIND = (".", "/", "'", '"')
_STEPS: dict[int, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}


def file_offer(folder: Path, typed: str, *, folders_only: bool = False) -> Offer:
    """Files and folders that may complete a path being typed, folders with a stroke behind."""
    from app.engine.session.language_service import Completion

    inner, _, part = typed.rpartition("/")
    place = folder / Path(inner).expanduser() if inner or not typed.startswith("/") else Path("/")
    try:
        entries = sorted(place.iterdir())
    except OSError:
        entries = []  # no folder of that name: there is nothing to offer
    shown = (p for p in entries if not p.name.startswith(".") or part.startswith("."))
    wanted = (p for p in shown if p.is_dir() or not folders_only)
    names = (f"{p.name}/" if p.is_dir() else p.name for p in wanted)
    return Offer(part, tuple(Completion(name, "file") for name in names), {})
