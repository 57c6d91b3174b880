"""The call form of the function whose arguments are being typed, above the line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel

from app.ui.editor import explanations
from app.ui.editor.surface import MOVED, Surface, text_before
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text

if TYPE_CHECKING:
    from app.engine.session.language_service import SignatureHelp

MOST_WIDTH = 640


class SignatureTip(QObject):
    """Comes with ``(`` and ``,``, follows the caret from argument to argument, and goes with the
    call, with Escape and with the keyboard."""

    def __init__(
        self, surface: Surface, client: LanguageClient, describe: Callable[..., Text]
    ) -> None:
        super().__init__(surface)
        self._surface = surface
        self._client = client
        self._describe = describe
        self._topic = f"signature-{id(surface)}"
        self.label = QLabel(surface, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.label.setObjectName("SignatureTip")
        self.label.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self._open = False
        self._anchor = 0
        surface.key_handlers.insert(0, self.on_key)
        surface.charAdded.connect(self._on_char)
        surface.updateUi.connect(self._on_update)
        surface.installEventFilter(self)

    @property
    def active(self) -> bool:
        """True while the tip is shown."""
        return self.label.isVisible()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """The tip goes where the keyboard goes."""
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.close()
        return False

    def on_key(self, event: QKeyEvent) -> bool:
        """Escape closes the tip."""
        if event.key() == Qt.Key.Key_Escape and self.active:
            self.close()
            return True
        return False

    def ask(self) -> None:
        """Show the call around the caret, if there is one."""
        surface, position = self._surface, self._surface.currentPos()
        if not self._open:
            self._anchor = position
        self._open = True
        before = text_before(surface, position)
        text = self._describe(whole=surface.textLength() <= queries.QUICK)
        question = partial(queries.signature_help, text, before, surface.offset_of(position))
        self._client.ask(self._topic, question, self._show)

    def close(self) -> None:
        """Show it no longer."""
        self._open = False
        self._client.forget(self._topic)
        self.label.hide()

    def _on_char(self, character: int) -> None:
        if chr(character) in "(,":
            self.ask()

    def _on_update(self, what: int) -> None:
        if not self._open or not what & MOVED:
            return
        surface = self._surface
        line = surface.line_text(surface.caret_line - 1)
        if "(" in line or (line.strip() and surface.caret_line > 1):
            self.ask()
        else:
            self.close()

    def _show(self, answer: SignatureHelp | None) -> None:
        surface = self._surface
        if answer is None or not surface.hasFocus() or not self._open:
            self.close()
            return
        self.label.setWordWrap(False)
        self.label.setText(explanations.tip_html(answer))
        if self.label.sizeHint().width() > MOST_WIDTH:
            self.label.setWordWrap(True)
            self.label.setFixedWidth(MOST_WIDTH)
        else:
            self.label.setMinimumWidth(0)
            self.label.setMaximumWidth(16777215)
        self.label.adjustSize()
        self.label.move(self._place())
        self.label.show()

    def _place(self) -> QPoint:
        """Above the line of the caret; below it at the top of the screen."""
        surface, label = self._surface, self.label
        caret = surface.currentPos()
        if surface.lineFromPosition(caret) != surface.lineFromPosition(self._anchor):
            self._anchor = caret
        line = surface.place_on_screen(min(self._anchor, caret))
        screen = label.screen().availableGeometry()
        left = max(screen.left(), min(line.left(), screen.right() - label.width()))
        top = line.top() - label.height() - 4
        return QPoint(left, top if top >= screen.top() else line.bottom() + 4)
