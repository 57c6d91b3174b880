"""Whether scripts of a folder may touch the system: asked once per folder, in a quiet bar.

Until it is answered scripts run restricted: without system commands, writing outside a temporary
folder and the network. The system enforces it where it can confine a process, which then has
variables of its own; elsewhere calls are refused by name. A script that is refused one of these
brings the question back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton

from app import sandbox
from app.engine.protocol import ErrorRaised
from app.settings import Settings
from app.ui.shell.session_store import SessionStore, State
from app.ui.support.resources import resource
from app.ui.widgets.panel_parts import IconButton

RESTRICTED = "Fuselab:restricted"
"""The identifier of errors about what a restricted script must not do."""
_GOES = re.compile(
    r"\s*(?:cd|chdir)(?:\s*\(\s*|\s+)(?:(['\"])(?P<quoted>[^'\"]+)\1|(?P<bare>[^\s'\"();,%]+))"
    r"\s*\)?\s*[;,]?\s*"
)
_CONFINED = "Until then its code runs in a confined process, with variables of its own."
_REFUSED = "Until then commands, writing and network are refused by name only: nothing is confined."


def folder_of_command(line: str, current: Path) -> Path | None:
    """The folder that a line such as ``cd data`` goes to, and does nothing else."""
    found = _GOES.fullmatch(line)
    name = found and (found["quoted"] or found["bare"])
    return (current / Path(name).expanduser()).resolve() if name else None


def trust_in(folder: Path, kept: State) -> bool | None:
    """What was said about a folder or one above it; our own examples are trusted.

    Args:
        folder: an absolute path without links.
        kept: the state of the session's store.
    """
    if folder.is_relative_to(resource("examples")):
        return True
    known: dict[str, bool] = kept.get("trust", {})
    for place in (folder, *folder.parents):
        if str(place) in known:
            return known[str(place)]
    return None


class TypedFolder:
    """The folder that the line typed last goes to, until somebody has gone there."""

    def __init__(self, typed: SignalInstance, current: Callable[[], Path]) -> None:
        self._current = current
        self._folder: Path | None = None
        typed.connect(self._take)

    def _take(self, line: str) -> None:
        self._folder = folder_of_command(line, self._current())

    def is_it(self, folder: Path) -> bool:
        """Whether a person asked for that folder; true once."""
        asked, self._folder = self._folder == folder, None
        return asked


class TrustBar(QFrame):
    """Shown above the editors while the current folder is neither trusted nor refused."""

    trusting = Signal()
    """The current folder is about to be trusted, with what was made in it."""
    answered = Signal()

    def __init__(self, store: SessionStore, settings: Settings) -> None:
        super().__init__()
        self._store = store
        self._settings = settings
        self._always = settings.restricted
        self._confines = sandbox.is_available()
        self.quiet = False
        self._folder = Path()
        self.setObjectName("Banner")
        self.setAccessibleName("Trust in the current folder")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.trust_button = _button("Trust this folder", self.trust)
        self.refuse_button = _button("Keep restricted", self.refuse)
        self._answers = QHBoxLayout()
        self._answers.addWidget(self.trust_button)
        self._answers.addWidget(self.refuse_button)
        self._answers.addWidget(IconButton("close", "Ask later", self.hide))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(8, 5, 4, 5)
        self._row.setSpacing(6)
        self._row.addWidget(self.text, 1)
        self._row.addLayout(self._answers)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The answers stand below the question where there is no room beside it."""
        super().resizeEvent(event)
        beside = event.size().width() >= 2 * self._answers.sizeHint().width()
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if beside else ways.TopToBottom)

    def enter(self, folder: Path, by_user: bool = True) -> None:
        """Another folder is current: run as its trust says, or ask.

        A script that goes to a trusted folder does not become trusted by that.
        """
        self._folder = folder.resolve()
        answer = self.answer(self._folder)
        if answer and not by_user and self._settings.restricted:
            answer = None
        self._restrict(answer is not True)
        until = _CONFINED if self._confines else _REFUSED
        self.text.setText(f"Trust the folder “{self._folder.name}”? {until}")
        self.text.setToolTip(f"{self._folder}\n{self.text.text()}")
        self.quiet = self.quiet and not by_user
        self.setVisible(answer is None and not self._always and not self.quiet)

    def begin_quietly(self) -> None:
        """Nobody has chosen the folder yet: do not ask about it before a file is open."""
        self.quiet = True
        self.hide()

    def ask_now(self) -> None:
        """A file is open: whether its folder is trusted matters from now on."""
        if self.quiet:
            self.quiet = False
            self.enter(self._folder)

    def remind(self, error: ErrorRaised) -> None:
        """A script was refused something: ask again, whatever was said before."""
        if error.identifier == RESTRICTED and not self._always:
            self.text.setText(f"{error.message.split(':')[0]}. Do you trust {self._folder.name}?")
            self.show()

    def answer(self, folder: Path) -> bool | None:
        """What was said about the folder or one above it."""
        return trust_in(folder, self._store.state)

    def vouch(self, folder: Path) -> None:
        """A folder that was made for the examples, with nothing else in it, is trusted."""
        known = {**self._store.state.get("trust", {}), str(folder.resolve()): True}
        self._store.keep("trust", known)

    def trust(self) -> None:
        """Scripts of the folder may do everything from now on; their variables stay."""
        self.trusting.emit()
        self._keep(True)

    def refuse(self) -> None:
        """They stay restricted, and nobody asks again."""
        self._keep(False)

    def _keep(self, fine: bool) -> None:
        known = {**self._store.state.get("trust", {}), str(self._folder): fine}
        self._store.keep("trust", known)
        self.enter(self._folder)
        self.answered.emit()

    def _restrict(self, on: bool) -> None:
        wanted = on or self._always
        if self._settings.restricted != wanted:
            self._settings.set("restricted", wanted, "option")


def _button(title: str, act: Callable[[], None]) -> QPushButton:
    button = QPushButton(title)
    button.setMinimumWidth(button.sizeHint().width())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(act)
    return button
