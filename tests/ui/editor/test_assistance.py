"""What the language service knows reaches the editor: colours, remarks, completion, tips, hovers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from app.engine.run_rows import BoundaryRow, LineRow
from app.engine.session import language_service
from app.engine.session.language_service import SignatureHelp
from app.source import SourceText, Span
from app.ui.editor import completion, explanations
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import NEW_FILE
from app.ui.editor.hover import Hover, variable_text
from app.ui.editor.marks import Indicator
from app.ui.editor.run_notes import RunNotes
from app.ui.editor.semantic_colouring import Colouring, byte_spans
from app.ui.editor.signature_tip import SignatureTip
from app.ui.editor.snippets import Snippets
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge
from tests.ui.keys import press, type_keys
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


def test_signature_help_counts_arguments() -> None:
    found = language_service.signature_help("y = sum([1, 2], ")
    assert found is not None
    assert (found.name, found.argument) == ("sum", 1)
    assert language_service.signature_help("y = [1, ") is None


def test_the_argument_being_typed_is_found_in_the_form() -> None:
    help_ = SignatureHelp("f", ("y = f(x)", "y = f(x, dim)"), "Sums.", 1)
    assert "<b style='color" in explanations.tip_html(help_)
    assert ">dim</b>" in explanations.tip_html(help_)


def test_help_texts_show_code_without_marks() -> None:
    html = explanations.tip_html(SignatureHelp("f", ("f(x)",), "Solve ``A*X = B``.", 0))
    assert "`" not in html
    assert "A*X = B" in html


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
    with qtbot.waitSignal(colouring.changed):
        pass
    assert editor.indicatorValueAt(Indicator.FUNCTION, 5)
    assert not editor.indicatorValueAt(Indicator.FUNCTION, 0)
    assert colouring.analysis is not None
    place = colouring.analysis.diagnostics[0].span.start
    assert editor.indicatorValueAt(Indicator.ERROR, place)
    assert colouring.diagnostics_at(place)
    with qtbot.waitSignal(colouring.changed):
        editor.setText("x = 1;\n")
    assert colouring.analysis.diagnostics == ()
    assert not editor.indicatorValueAt(Indicator.ERROR, 3)


@pytest.fixture
def helper(editor: CodeEditor, client: LanguageClient) -> completion.Completer:
    """Completion in the editor, with one variable in the workspace."""
    return completion.Completer(
        editor, client, lambda **_: described(editor), snippets=Snippets(editor)
    )


def offered(helper: completion.Completer, qtbot: QtBot) -> list[str]:
    """What is offered, when it is."""
    qtbot.waitUntil(lambda: helper.active)
    return helper.popup.labels()


def test_typing_offers_completions_but_not_in_comments(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "x = me")
    assert offered(helper, qtbot)[0] == "meter"
    type_keys(editor, "\t")
    assert editor.text() == "x = meter"
    editor.setText("% ")
    editor.gotoPos(2)
    type_keys(editor, "mea")
    qtbot.wait(100)
    assert not helper.active


def test_enter_takes_nothing_unasked(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "hold on\nx = me")
    offered(helper, qtbot)
    type_keys(editor, "\n")
    assert editor.text() == "hold on\nx = me\n"
    type_keys(editor, "me")
    offered(helper, qtbot)
    press(editor, Qt.Key.Key_Down)
    chosen = helper.popup.chosen()
    type_keys(editor, "\n")
    assert chosen is not None
    assert editor.text() == f"hold on\nx = me\n{chosen.label}"


def test_nothing_is_offered_for_a_line_that_has_run(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot
) -> None:
    def run(event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Return:
            editor.setText("")  # as the command window does when it takes a line
        return event.key() == Qt.Key.Key_Return

    helper = completion.Completer(editor, client, lambda **_: described(editor), is_command=True)
    editor.key_handlers.insert(1, run)
    type_keys(editor, "wh")
    press(editor, Qt.Key.Key_Return)
    answered: list[None] = []
    client.ask("behind", lambda: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert not helper.active


def test_enter_takes_what_was_asked_for(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "x = met")
    helper.complete()
    offered(helper, qtbot)
    type_keys(editor, "\n")
    assert editor.text() == "x = meter"
    type_keys(editor, "; y = mtr")
    helper.complete()
    assert "meter" in offered(helper, qtbot)
    type_keys(editor, "\n")
    assert editor.text() == "x = meter; y = mtr\n"


def test_the_list_narrows_and_closes(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "me")
    many = len(offered(helper, qtbot))
    type_keys(editor, "t")
    assert len(helper.popup.labels()) < many
    type_keys(editor, "\b")
    qtbot.waitUntil(lambda: len(helper.popup.labels()) == many)
    press(editor, Qt.Key.Key_Escape)
    assert not helper.active
    type_keys(editor, "t")
    qtbot.wait(100)
    assert not helper.active
    type_keys(editor, " + me")
    offered(helper, qtbot)
    type_keys(editor, ")")
    assert not helper.active


def test_a_snippet_leads_through_its_places(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "for")
    assert offered(helper, qtbot)[0] == "for"
    type_keys(editor, "\t")
    assert editor.text() == "for k = 1:n\n    disp(k)\nend"
    type_keys(editor, "i\t1:3\tsin(meter)\t;")
    assert editor.text() == "for i = 1:3\n    sin(meter)\nend;"
    type_keys(editor, "\t")
    assert editor.text().endswith("end;    ")


def test_a_snippet_that_was_left_takes_no_tab(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    editor.setText("x\n")
    editor.gotoPos(2)
    type_keys(editor, "if")
    assert offered(helper, qtbot)[0] == "if"
    type_keys(editor, "\t")
    editor.gotoPos(1)
    type_keys(editor, "\ty")
    assert editor.text().startswith("x   y\nif condition")


def test_fields_of_the_workspace_join_those_of_the_text(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot
) -> None:
    known = completion.Known(fields=lambda base, receive: receive([(f"of_{base}", "1×1 double")]))
    helper = completion.Completer(editor, client, lambda **_: described(editor), known)
    type_keys(editor, "s.here = 1;\ny = s.")
    qtbot.waitUntil(lambda: helper.popup.labels() == ["here", "of_s"])


def test_files_are_offered_where_a_text_names_one(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.csv").write_text("1")
    text = Text("a.m", "", tmp_path)
    helper = completion.Completer(editor, client, lambda **_: text)
    type_keys(editor, "x = readmatrix('")
    assert offered(helper, qtbot) == ["data/"]
    type_keys(editor, "\t")
    qtbot.waitUntil(lambda: helper.popup.labels() == ["one.csv"])
    type_keys(editor, "\t")
    assert editor.text() == "x = readmatrix('data/one.csv')"


def test_words_are_offered_behind_commands(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "hold o")
    assert offered(helper, qtbot) == ["on", "off"]
    type_keys(editor, "n\naxis eq")
    qtbot.waitUntil(lambda: helper.popup.labels() == ["equal"])
    type_keys(editor, "\t\nset(gca, 'XScale', 'l")
    qtbot.waitUntil(lambda: helper.popup.labels() == ["log", "linear"])
    type_keys(editor, "\t")
    assert editor.text() == "hold on\naxis equal\nset(gca, 'XScale', 'log')"


def test_files_behind_commands_are_quoted_where_they_must_be(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "my data" / "inner").mkdir(parents=True)
    (tmp_path / "my data" / "one.csv").write_text("1")
    text = Text("a.m", "", tmp_path)
    helper = completion.Completer(editor, client, lambda **_: text)
    type_keys(editor, "cd my")
    assert offered(helper, qtbot) == ["my data/"]
    type_keys(editor, "\t")
    qtbot.waitUntil(lambda: helper.popup.labels() == ["inner/"])
    type_keys(editor, "\t")
    assert editor.text() == "cd 'my data/inner/'"


def test_another_word_in_the_place_of_a_dismissed_one_is_completed(
    editor: CodeEditor, helper: completion.Completer, qtbot: QtBot
) -> None:
    type_keys(editor, "me")
    offered(helper, qtbot)
    press(editor, Qt.Key.Key_Escape)
    type_keys(editor, "\b\blins")
    assert offered(helper, qtbot)[0] == "linspace"


def test_a_call_shows_its_forms_until_it_ends(
    editor: CodeEditor, client: LanguageClient, qtbot: QtBot
) -> None:
    tip = SignatureTip(editor, client, lambda **_: described(editor))
    type_keys(editor, "x = sum(")
    qtbot.waitUntil(lambda: tip.active)
    type_keys(editor, "1, ")
    qtbot.waitUntil(lambda: ">dim</b>" in tip.label.text())
    type_keys(editor, ")")
    qtbot.waitUntil(lambda: not tip.active)
    type_keys(editor, "\ny = max(")
    qtbot.waitUntil(lambda: tip.active)
    press(editor, Qt.Key.Key_Escape)
    assert not tip.active


def test_hovering_a_line_says_why(editor: CodeEditor, client: LanguageClient) -> None:
    bridge = Bridge()
    account = RunModel(bridge)
    editor.untitled = "quick.m"
    account.run_name = "quick.m"
    account.groups = {1: group(1, "elementwise", [2], ["sin", "mul"])}
    account.boundaries = [
        BoundaryRow(3, "needs-host-value", "needs-host-value: disp"),
        BoundaryRow(4, "fused", "the loop runs as machine code"),
    ]
    account.lines = {("quick.m", 3): LineRow("quick.m", 3, download_bytes=4_000_000)}
    notes = RunNotes(editor, account)
    hover = Hover(editor, Colouring(editor, client, described), notes, account, client, described)
    assert hover.line_text(2).startswith("element-wise chain: sin → mul\nRan on the GPU. Fused")
    assert hover.line_text(3) == (
        "Fusion stops here. The script needs the value here: a test, a display or an index. (disp) "
        "3.81 MB came down for it. Ask for the value after the arrays are done, or reduce it on "
        "the GPU to the number that is needed."
    )
    assert hover.line_text(1) == ""
    assert hover.line_text(4) == "Fused: the loop runs as machine code."
    bridge.close()


def test_hovering_a_variable_says_what_and_where() -> None:
    assert variable_text(VARIABLES[3]).startswith("x   4000000×1 single · 15.3 MB · ■ device")
    assert list(events())  # the recording is complete
