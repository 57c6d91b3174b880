"""Live scripts as documents, with real keys and a real mouse."""

from __future__ import annotations

from tests.desk.conftest import Start
from tests.desk.desk import Desk

FACE = "window.documents.current()"
IDLE = f"state() == 'IDLE' and {FACE} is not None and not {FACE}.runs.busy"
SLIDER = """%[text] # A slider
f = 2; %[control:slider:0001]{"position":[5,6]}
y = f^2

%[appendix]{"version":"1.0"}
%---
%[control:slider:0001]
%   data: {"label":"f","max":100,"min":0,"run":"Section","runOn":"ValueChanging","step":1}
%---
"""


def outputs(desk: Desk) -> list[tuple[int, str, str]]:
    found = desk.ask(f"[(o.line, o.kind, o.text.strip()) for o in {FACE}.runs.outputs]")
    return [(line, kind, text) for line, kind, text in found]


def test_a_document_is_written_and_run_by_keyboard(desk: Desk) -> None:
    desk.open("", "note.m")
    desk.to_editor()
    desk.key("ctrl+shift+m")
    desk.wait(f"{FACE} is not None")
    desk.key("ctrl+e")
    desk.wait(f"{FACE}.view.focused_cell() is not None")
    desk.type("# Waves\nSome words.")
    desk.key("ctrl+e")
    desk.type("f = 2;\nplot(sin(f*(1:100)))")
    desk.key("ctrl+alt+Return")
    desk.type("disp(f)\nnothing_here")
    text = (
        "%[text] # Waves\n%[text] Some words.\n"
        "f = 2;\nplot(sin(f*(1:100)))\n%%\ndisp(f)\nnothing_here"
    )
    desk.wait(f"editor().text() == {text!r}")
    desk.key("F5")
    desk.wait(f"{IDLE} and len({FACE}.runs.outputs) == 3")
    found = outputs(desk)
    assert [(line, kind) for line, kind, _ in found] == [(4, "figure"), (6, "text"), (7, "error")]
    assert found[1][2] == "2"
    assert "nothing_here" in found[2][2]
    assert "2" not in desk.ask("output()").split("\n")
    desk.key("Escape", "Up", "Up")
    desk.wait(f"{FACE}.view.current is {FACE}.view.rows[0]")
    desk.key("ctrl+shift+m")
    desk.wait(f"{FACE} is None and focus() == 'editor'")


def test_a_dragged_slider_runs_its_section(desk: Desk) -> None:
    desk.ask("bool(window.trust.trust() or True)")
    desk.open(SLIDER, "slider.m")
    desk.wait(f"{FACE} is not None")
    desk.ask("bool(window.change_folder(editor().path.parent) or True)")
    desk.ask("bool(window.trust.trust() or True)")
    slider = f"{FACE}.view.rows[1].widget.controls.faces[0].face.slider"
    desk.wait(f"{slider}.isVisible()")
    left, top, width, height = desk.ask(f"place({slider})")
    desk.point(left + round(width * 0.02) + 4, top + height // 2)
    desk.screen.do("mousedown", 1)
    for part in (0.2, 0.4, 0.6):
        desk.point(left + round(width * part), top + height // 2)
    desk.screen.do("mouseup", 1)
    desk.wait(f"{IDLE} and {slider}.value() > 50 and {FACE}.runs.updates > 0")
    value = desk.ask(f"{slider}.value()")
    assert f'f = {value}; %[control:slider:0001]{{"position":[5,7]}}' in desk.ask("editor().text()")
    desk.wait(f"{FACE}.runs.outputs[0].text.split()[-1] == '{value**2}'")
    desk.key("ctrl+z")
    desk.wait(f"editor().text() == {SLIDER!r}")


CONTROL = f"{FACE}.view.rows[1].widget.controls.faces[0].face.slider"


def write_with_slider(desk: Desk) -> None:
    """A heading and two lines of code by keyboard; a slider stands for the number."""
    desk.to_editor()
    desk.key("ctrl+shift+m")
    desk.wait(f"{FACE} is not None")
    desk.key("ctrl+e")
    desk.wait(f"{FACE}.view.focused_cell() is not None")
    desk.type("# Powers")
    desk.key("ctrl+e")
    desk.type("f = 20;\ny = f^2")
    desk.key("Up", "End", "Left", "ctrl+shift+p")
    desk.type("insert control")
    desk.key("Return")
    desk.wait("focus() == 'Which control is to stand for it?'")
    desk.key("Return")
    desk.wait("'Configure Slider' in dialogs() and focus() == 'Label'")
    desk.key("Return")
    desk.wait(f"dialogs() == [] and {CONTROL}.isVisible()")


def drag(desk: Desk) -> int:
    """Bring the slider to another number; which it is."""
    left, top, width, height = desk.ask(f"place({CONTROL})")
    desk.point(left + width // 2, top + height // 2)
    desk.screen.do("mousedown", 1)
    desk.point(left + round(width * 0.8), top + height // 2)
    desk.screen.do("mouseup", 1)
    desk.wait(f"{IDLE} and {CONTROL}.value() > 25")
    return int(desk.ask(f"{CONTROL}.value()"))


def test_from_nothing_to_a_page_and_back_after_a_crash(start: Start) -> None:
    first = start()
    first.ask("bool(window.trust.trust() or True)")
    first.open("", "kept.m")
    write_with_slider(first)
    first.key("F5")
    first.wait(f"{IDLE} and len({FACE}.runs.outputs) == 1")
    value = drag(first)
    first.wait(f"{FACE}.runs.outputs[0].text.split()[-1] == '{value**2}'")
    first.key("ctrl+shift+p")
    first.type("export as pdf")
    first.key("Return")
    first.wait("'Export' in dialogs() and focus() != 'editor'")
    page = first.folder / "page.html"
    first.key("ctrl+a")
    first.type(str(page))
    first.key("Return")
    first.wait("dialogs() == []")
    written = page.read_text("utf-8")
    assert all(part in written for part in ("<h1", "Powers", str(value**2)))
    text = first.ask("editor().text()")
    assert text.startswith(f"%[text] # Powers\nf = {value}; %[control:slider:")
    first.wait("not window.store._timer.isActive()")
    first.process.kill()
    first.process.wait(30)
    again = start(home=first.home)
    again.wait(f"{FACE} is not None and editor().text() == {text!r}")
    again.wait(f"{CONTROL}.value() == {value}")
