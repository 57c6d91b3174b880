"""A document in a window whose engine only takes requests."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.ui.documents.editor_faces import Face
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.markup_styles import MarkupStyles
from app.ui.shell.main_window import MainWindow

TEXT = r"""%[text] # Title
%[text] Some **words** and $ x^2 ${"altText":"x squared"}.
x = 4; %[control:slider:7527]{"position":[5,6]}
y = x^2 %[output:126e6871]
%%
%[text] ## Second
z = 1;

%[appendix]{"version":"1.0"}
%---
%[control:slider:7527]
%   data: {"defaultValue":4,"label":"x","max":10,"min":0,"run":"Section","step":1}
%---
%[output:126e6871]
%   data: {"dataType":"textualVariable","outputData":{"name":"y","value":"16"}}
%---
"""


class SilentEngine:
    """Takes requests; tests say what happens."""

    def __init__(self, emit: object) -> None:
        self.emit = emit
        self.requests: list[protocol.Request] = []
        self.stopped = 0

    def post(self, request: protocol.Request) -> None:
        self.requests.append(request)

    def stop_run(self) -> None:
        self.stopped += 1

    def close(self) -> None:
        pass

    @property
    def runs(self) -> list[protocol.RunText]:
        return [r for r in self.requests if isinstance(r, protocol.RunText)]


def silent_engine(window: MainWindow) -> SilentEngine:
    made = window.bridge._engine
    assert isinstance(made, SilentEngine)
    return made


def open_document(window: MainWindow, qtbot: QtBot, text: str = TEXT) -> tuple[CodeEditor, Face]:
    editor = window.editors.new(text)
    editor.emptyUndoBuffer()
    face = window.documents.show(editor)
    qtbot.waitUntil(lambda: any(row.widget is not None for row in face.view.rows))
    return editor, face


def styled(editor: CodeEditor) -> None:
    """Hide the marks, as the first painting does: what is hidden cannot be typed over."""
    styles = editor.findChild(MarkupStyles)
    assert isinstance(styles, MarkupStyles)
    styles._from = 0
    styles._refresh_from(0)
