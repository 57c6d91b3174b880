"""Copy, paste and interrupt are the same keys everywhere; each panel does what it must with them."""

from __future__ import annotations

from tests.desk.desk import Desk
from tests.support.desk_keys import to_figure, to_grid, to_output


def with_figure(desk: Desk) -> None:
    """A figure is in view, and a variable ``kept``."""
    desk.run("kept = magic(3); plot(1:10)")
    desk.wait("figures() == [1] and in_front('figures')")


def test_the_editor_copies_its_selection_while_a_figure_is_seen(desk: Desk) -> None:
    desk.open("alpha = 1;\n")
    with_figure(desk)
    desk.to_editor()
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("QApplication.clipboard().text() == 'alpha = 1;\\n'", 10)
    assert desk.clipboard() == "alpha = 1;\n"
    desk.key("ctrl+End", "ctrl+v")
    desk.wait("editor().text() == 'alpha = 1;\\nalpha = 1;\\n'", 10)


def test_the_prompt_interrupts_while_a_figure_is_seen(desk: Desk) -> None:
    with_figure(desk)
    desk.to_prompt()
    desk.enter("while true, end")
    desk.wait("state() == 'RUNNING'")
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'", 10)


def test_the_output_interrupts_too(desk: Desk) -> None:
    with_figure(desk)
    desk.to_prompt()
    desk.enter("while true, end")
    desk.wait("state() == 'RUNNING'")
    to_output(desk)
    desk.key("ctrl+c")
    desk.wait("state() == 'IDLE'", 10)


def test_a_selection_is_copied_from_prompt_and_output(desk: Desk) -> None:
    with_figure(desk)
    desk.run("disp('words to keep')")
    desk.to_prompt()
    desk.type("beta")
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("QApplication.clipboard().text() == 'beta'", 10)
    to_output(desk)
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("'words to keep' in QApplication.clipboard().text()", 10)


def test_the_figure_copies_its_picture(desk: Desk) -> None:
    with_figure(desk)
    to_figure(desk)
    desk.key("ctrl+c")
    desk.wait("QApplication.clipboard().mimeData().hasImage()", 10)
    assert "image/png" in desk.clipboard("TARGETS")


def test_the_grid_copies_cells_as_a_spreadsheet_wants_them(desk: Desk) -> None:
    with_figure(desk)
    to_grid(desk)
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("QApplication.clipboard().text().startswith('8\\t1\\t6\\n')", 10)


def test_the_find_box_copies_its_words(desk: Desk) -> None:
    desk.open("alpha = 1;\n")
    with_figure(desk)
    desk.to_editor()
    desk.key("ctrl+f")
    desk.wait("focus() == 'Find'")
    desk.type("alpha")
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("QApplication.clipboard().text() == 'alpha'", 10)
