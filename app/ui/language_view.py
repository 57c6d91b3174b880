"""Gives every editor, and the command line, what the language service knows."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.ui.editor.area import EditorArea
from app.ui.editor.assist import Assist
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.colouring import Colouring
from app.ui.editor.hover import Hover
from app.ui.editor.surface import MATLAB, Surface
from app.ui.language import LanguageClient
from app.ui.models.account import Account


class LanguageView(QObject):
    """Colours, completion, call tips and hovers of all editors."""

    def __init__(self, account: Account, editors: EditorArea) -> None:
        super().__init__(editors)
        self.client = LanguageClient(self)
        self._account = account
        editors.editor_added.connect(self._on_editor)

    def assist(self, surface: Surface) -> Assist:
        """Offer completions in ``surface``."""
        return Assist(surface, self.client, self._variables)

    def complete(self, editor: CodeEditor) -> None:
        """Offer completions now."""
        found = editor.findChild(Assist)
        if isinstance(found, Assist):
            found.complete()

    def close(self) -> None:
        """End the language thread."""
        self.client.close()

    def _on_editor(self, editor: CodeEditor) -> None:
        if editor.language is not MATLAB:
            return
        colouring = Colouring(editor, self.client)
        Hover(editor, colouring, self._account, self.client)
        Assist(editor, self.client, lambda: colouring.variables | self._variables())

    def _variables(self) -> frozenset[str]:
        return frozenset(v.name for v in self._account.variables)
