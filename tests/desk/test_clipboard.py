"""Copy, paste and interrupt are the same keys everywhere; each panel does what it must with them."""

from __future__ import annotations

import time

from tests.desk.desk import Desk, drag
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


def test_files_are_dragged_to_where_they_are_wanted(desk: Desk) -> None:
    (desk.folder / "dragged.m").write_text("x = 5;\n")
    (desk.folder / "ages.csv").write_text("name,age\nAda,36\nGrace,85\n")
    desk.ask(f"bool([window.change_folder(Path({str(desk.folder)!r}))])")
    tree = "window.panel('files').tree"
    spot = (
        "(lambda t, i: [t.viewport().mapToGlobal(t.visualRect(i).center()).x(), "
        "t.viewport().mapToGlobal(t.visualRect(i).center()).y()])"
        f"({tree}, {tree}.model().index({{!r}}))"
    )

    def take(name: str, to: str) -> None:
        file = str(desk.folder / name)
        desk.wait(f"{tree}.visualRect({tree}.model().index({file!r})).height() > 0")
        before, start = None, desk.ask(spot.format(file))
        while start != before:  # the list is read and sorted away from the window
            time.sleep(0.3)
            before, start = start, desk.ask(spot.format(file))
        left, top, wide, high = desk.ask(f"place({to})")
        drag(desk, (start[0], start[1]), (left + wide // 2, top + high // 2))
        desk.screen.do("mouseup", 1)

    take("dragged.m", "window.editors")
    desk.wait("editor() is not None and editor().name == 'dragged.m'")
    take("ages.csv", "window.panel('workspace')")
    desk.wait("'ages' in [v.name for v in window.run_model.variables] and state() == 'IDLE'")
    assert "readtable" in desk.ask("output()")
    take("ages.csv", "window.editors")
    desk.wait("editor().name == 'ages.csv'")
    assert (desk.folder / "ages.csv").exists()
