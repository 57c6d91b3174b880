"""What dialogs ask of a window, and what their answers become."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.engine import protocol
from app.engine.dialog_state import Question
from app.engine.session.session import Session
from app.settings import Settings

Asked = list[Question]


class Answering(Session):
    """A session whose dialogs are answered by what is in ``replies``, one after the other."""

    asked: Asked
    replies: list[tuple[str, ...]]

    def ask(self, question: Question) -> tuple[str, ...]:
        self.asked.append(question)
        return self.replies.pop(0)


@pytest.fixture
def session() -> Iterator[Answering]:
    made = Answering(Settings(), lambda _: None)
    made.asked, made.replies = [], []
    yield made
    made.close()


def shown(session: Answering, code: str, *replies: tuple[str, ...]) -> str:
    """What the code prints when its dialogs are answered so."""
    printed: list[str] = []
    session.emit = lambda e: printed.append(e.text) if isinstance(e, protocol.OutputText) else None
    session.replies = list(replies)
    session.run_text(protocol.RunText(code, "<test>"))
    return "".join(printed).strip()


def test_files_by_kinds_and_several(session: Answering) -> None:
    code = (
        "[f, p, i] = uigetfile({'*.m;*.mlx', 'Programs (*.m)'; '*.*', 'Every'}, 'T', 'a.m', "
        "'MultiSelect', 'on'); disp([class(f) p num2str(i)]); disp(f{2})"
    )
    assert shown(session, code, ("2", "/w/a.m", "/w/b c.m")) == "cell/w/2\nb c.m"
    (asked,) = session.asked
    assert (asked.kind, asked.defaults) == ("open several", ("a.m",))
    assert asked.choices == ("Programs (*.m *.mlx)", "Every (*)", "All files (*)")


@pytest.mark.parametrize(
    ("call", "start", "kinds"),
    [
        ("uigetfile", "", ("All files (*)",)),
        ("uigetfile('*.csv')", "", ("Files (*.csv)", "All files (*)")),
        ("uigetfile('.txt')", "", ("Files (*.txt)", "All files (*)")),
        ("uigetfile({'*.a'; '*.b'})", "", ("Files (*.a)", "Files (*.b)", "All files (*)")),
        ("uiputfile('result.mat')", "result.mat", ("All files (*)",)),
        ("uiputfile('*.mat', 'T', 'x.mat')", "x.mat", ("Files (*.mat)", "All files (*)")),
    ],
)
def test_filters(session: Answering, call: str, start: str, kinds: tuple[str, ...]) -> None:
    assert shown(session, f"f = {call}; disp(f)", ()) == "0"
    assert (session.asked[0].defaults, session.asked[0].choices) == ((start,), kinds)


def test_lists_give_rows_of_numbers(session: Answering) -> None:
    code = "[k, ok] = listdlg('ListString', {'a','b','c'}, 'OKString', 'Take'); disp([k ok])"
    assert shown(session, code, ("1", "3")).split() == ["1", "3", "1"]
    assert session.asked[0].kind == "several"
    assert session.asked[0].buttons == ("Take", "Cancel")
    assert (
        shown(session, "[k, ok] = listdlg('ListString', 'a'); disp(isempty(k) && ~ok)", ()) == "1"
    )


@pytest.mark.parametrize(
    ("dims", "fields", "lines"),
    [
        ("1", 2, "11"),
        ("[1 40]", 1, "1"),
        ("[1 40]", 2, "11"),
        ("[2 35]", 3, "222"),
        ("[]", 2, "11"),
        ("[2 40; 3 20]", 2, "23"),
        ("[1; 4]", 2, "14"),
        ("3", 1, "3"),
    ],
)
def test_fields_have_lines(session: Answering, dims: str, fields: int, lines: str) -> None:
    prompts = ", ".join(["'p'"] * fields)
    code = f"a = inputdlg({{{prompts}}}, 'T', {dims}); disp(size(a{{1}}))"
    assert shown(session, code, ("ab\nc",) * fields).split() == ["2", "2"]
    assert "".join(session.asked[0].choices) == lines


def test_confirmations(session: Answering) -> None:
    code = (
        "a = uiconfirm(uifigure, 'Drop?', 'T', 'Options', {'Yes','No','Wait'}, 'DefaultOption', 2, "
        "'CancelOption', 'Wait'); disp(a)"
    )
    assert shown(session, code, ("Yes",)) == "Yes"
    assert shown(session, code, ()) == "Wait"
    assert session.asked[0].defaults == ("No",)
    code = "try, uiconfirm(1.5, 'a', 'b'); catch e, disp(e.message), end"
    assert shown(session, code) == "The first input must be a figure."


def test_a_default_alone_has_the_usual_buttons(session: Answering) -> None:
    assert shown(session, "disp(questdlg('Q', 'T', 'No'))", ("Cancel",)) == "Cancel"
    assert session.asked[0].choices == ("Yes", "No", "Cancel")
    assert session.asked[0].defaults == ("No",)


def test_a_dialog_goes_with_its_figure(session: Answering) -> None:
    code = (
        "f = uifigure; d = uiprogressdlg(f); g = uiprogressdlg(figure); "
        "uialert(f, 'a', 'b', 'CloseFcn', @(~, ~) disp('gone')); close(f); "
        "disp([isvalid(d) isvalid(g)])"
    )
    assert shown(session, code).split() == ["b:", "a", "gone", "0", "1"]


def test_unknown_options_are_refused(session: Answering) -> None:
    for call in (
        "uigetfile('*.m', 'T', 'a', 'Several', 'on')",
        "listdlg('ListString', 'a', 'Mode', 1)",
        "uiprogressdlg(uifigure, 'Colour', 1)",
        "uialert(uifigure, 'a', 'b', 'Colour', 1)",
        "msgbox('a', 'b', 'smile')",
        "questdlg('Q', 'T', 'Maybe')",
    ):
        told = shown(session, f"try, {call}; disp('taken'), catch e, disp('refused'), end")
        assert told == "refused", call
