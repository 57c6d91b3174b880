"""What the language service knows reaches the editor: colours, remarks, completion, tips, hovers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.session import language_service
from app.engine.session.language_service import SignatureHelp
from app.source import SourceText, Span
from app.ui.editor import completion
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.documents import NEW_FILE
from app.ui.editor.hover import Hover, variable_text
from app.ui.editor.marks import Indicator
from app.ui.editor.run_notes import RunNotes
from app.ui.editor.semantic_colouring import Colouring, byte_spans
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge
from tests.ui.recorded import VARIABLES, events, group


@pytest.fixture
def client() -> Iterator[LanguageClient]:
    """A language thread that ends with the test."""
    client = LanguageClient()
    yield client
    client.close()


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """An empty script with the keyboard."""
    editor = CodeEditor(NEW_FILE, None)
    qtbot.addWidget(editor)
    editor.resize(500, 300)
    editor.show()
    editor.activateWindow()
    editor.setFocus()
    return editor


def described(editor: CodeEditor) -> Text:
    """The editor's text with one variable in the workspace."""
    return Text("a.m", editor.text(), None, frozenset({"meter"}))


def test_an_analysis_knows_calls_variables_and_outline() -> None:
    text = "x = sin(1);\nfunction y = f(a)\n  y = mean(a) + x;\nend\n"
    found = language_service.analyse(SourceText("a.m", text))
    assert [text[s.start : s.end] for s in found.functions] == ["sin", "f", "mean"]
    assert found.variables >= {"x", "y", "a"}
    assert [(e.name, e.kind, e.line) for e in found.outline] == [("f", "function", 2)]


def test_completions_put_variables_first() -> None:
    typed, found = language_service.completions("y = me", frozenset({"mesh_size"}))
    assert typed == "me"
    assert found[0] == "mesh_size"
    assert "mean" in found
    assert language_service.completions("s.me", frozenset())[1] == []


def test_signature_help_counts_arguments() -> None:
    found = language_service.signature_help("y = sum([1, 2], ")
    assert found is not None
    assert (found.name, found.argument) == ("sum", 1)
    assert language_service.signature_help("y = [1, ") is None


def test_the_argument_being_typed_is_found_in_the_form() -> None:
    help_ = SignatureHelp("f", ("y = f(x)", "y = f(x, dim)"), "Sums.", 1)
    text, start, end = completion.tip_text(help_)
    assert text[start:end] == "dim"


def test_byte_ranges_of_text_beyond_ascii() -> None:
    text = "é = sin(ü)"
    assert byte_spans(text, [Span(4, 7), Span(8, 9)]) == [(5, 8), (9, 11)]


def test_the_latest_question_wins(client: LanguageClient, qtbot: QtBot) -> None:
    answers: list[int] = []
    for number in range(5):
        client.ask("topic", lambda number=number: number, answers.append)
    qtbot.waitUntil(lambda: answers == [4])


def test_calls_are_coloured_and_errors_underlined(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot
) -> None:
    editor.setText("x = sin(1);\ny = (2;\n")
    colouring = Colouring(editor, client, described)
    with qtbot.waitSignal(colouring.changed, timeout=10_000):
        pass
    assert editor.indicatorValueAt(Indicator.FUNCTION, 5)
    assert not editor.indicatorValueAt(Indicator.FUNCTION, 0)
    assert colouring.analysis is not None
    place = colouring.analysis.diagnostics[0].span.start
    assert editor.indicatorValueAt(Indicator.ERROR, place)
    assert colouring.diagnostics_at(place)
    with qtbot.waitSignal(colouring.changed, timeout=10_000):
        editor.setText("x = 1;\n")
    assert colouring.analysis.diagnostics == ()
    assert not editor.indicatorValueAt(Indicator.ERROR, 3)


def test_typing_offers_completions_but_not_in_comments(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot
) -> None:
    completion.Completion(editor, client, lambda **_: described(editor))
    qtbot.keyClicks(editor, "x = me")
    qtbot.waitUntil(editor.autoCActive, timeout=10_000)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "x = meter"
    editor.setText("% ")
    editor.gotoPos(2)
    qtbot.keyClicks(editor, "mea")
    assert not editor.autoCActive()


def test_a_call_shows_its_forms(editor: CodeEditor, client: LanguageClient, qtbot: QtBot) -> None:
    completion.Completion(editor, client, lambda **_: described(editor))
    qtbot.keyClicks(editor, "x = sum(")
    qtbot.waitUntil(editor.callTipActive, timeout=10_000)


def test_hovering_a_line_says_why(editor: CodeEditor, client: LanguageClient) -> None:
    bridge = Bridge()
    run_model = RunModel(bridge)
    editor.untitled = "quick.m"
    run_model.run_name = "quick.m"
    run_model.groups = {1: group(1, "elementwise", [2], ["sin", "mul"])}
    run_model.boundaries = [
        {"line": 3, "reason": "needs-host-value", "detail": "needs-host-value: disp"}
    ]
    run_model.lines = {("quick.m", 3): {"file": "quick.m", "line": 3, "download_bytes": 4_000_000}}
    notes = RunNotes(editor, run_model)
    hover = Hover(editor, Colouring(editor, client, described), notes, run_model, client)
    assert hover.line_text(2).startswith("element-wise chain: sin → mul\nRan on the GPU. Fused")
    assert hover.line_text(3) == (
        "Fusion stops here. The script needs the value here: a test, a display or an index. (disp) "
        "3.81 MB came down for it. Ask for the value after the arrays are done, or reduce it on "
        "the GPU to the number that is needed."
    )
    assert hover.line_text(1) == ""
    bridge.close()


def test_hovering_a_variable_says_what_and_where() -> None:
    assert variable_text(VARIABLES[3]).startswith("x   4000000×1 single · 15.3 MB · ■ device")
    assert list(events())  # the recording is complete
