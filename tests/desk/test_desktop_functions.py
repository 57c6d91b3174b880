"""The desktop's own functions: what a script asks for is shown, and progress can be cancelled."""

from __future__ import annotations

from tests.desk.desk import Desk

DIALOG = "next(iter(window.desktop.progress.dialogs.values()))"


def test_files_are_edited_where_they_are(desk: Desk) -> None:
    (desk.folder / "helper.m").write_text("function y = helper(x)\ny = x;\nend\n")
    desk.run(f"cd('{desk.folder}')")
    desk.run("edit helper")
    desk.wait("editor() is not None and editor().name == 'helper.m'")
    desk.run("edit fresh_one")
    desk.wait("editor().name == 'fresh_one.m' and editor().text() == ''")
    desk.to_editor()
    desk.type("a = 1;\n")
    assert not (desk.folder / "fresh_one.m").exists()
    desk.key("ctrl+s")
    desk.wait("not editor().modified_text")
    assert (desk.folder / "fresh_one.m").read_text() == "a = 1;\n"
    desk.run("edit")
    desk.wait("editor().name.startswith('untitled')")
    desk.run("edit sin")
    desk.wait("'built in' in output()")


def test_panels_come_to_the_front(desk: Desk) -> None:
    if desk.ask("seen('Trust in the current folder')"):
        desk.click("find('Trust this folder')")  # what another engine has is not there
    desk.run("kept = magic(4);")
    for line, panel in (
        ("profile viewer", "profile"),
        ("commandhistory", "history"),
        ("doc sin", "help"),
        ("openvar kept", "variable"),
        ("workspace", "workspace"),
        ("filebrowser", "files"),
    ):
        desk.run(line)
        desk.wait(f"in_front({panel!r})")
    assert desk.ask("window.panel('variable').current.model.name") == "kept"
    desk.wait("'Sine of X' in window.panel('help').page.toPlainText()")
    desk.run("loaded = 3; save some loaded; clear loaded; open some.mat")
    desk.wait("'loaded' in [v.name for v in window.run_model.variables]")
    desk.run("open kept")
    desk.wait("in_front('variable')")
    desk.run("openvar nothing_like_it")
    desk.wait("\"There is no variable 'nothing_like_it'\" in output()")
    desk.open("pause(0.3); commandwindow; x = 5;\n")
    desk.to_editor()
    desk.key("F5")
    desk.wait("focus() == 'Command' and state() == 'IDLE'")


def test_progress_is_a_dialog_beside_the_work(desk: Desk) -> None:
    desk.open(
        "h = waitbar(0, 'Counting', 'Name', 'My work', ...\n"
        "    'CreateCancelBtn', 'setappdata(gcbf, ''canceling'', 1)');\n"
        "setappdata(h, 'canceling', 0);\n"
        "for k = 1:2000\n"
        "    if getappdata(h, 'canceling'), break, end\n"
        "    waitbar(k/2000, h, sprintf('Step %d', k)); pause(0.01);\n"
        "end\n"
        "delete(h); plot(1:k); fprintf('ended at %d\\n', k);\n"
    )
    desk.to_editor()
    desk.key("F5")
    desk.wait("len(window.desktop.progress.dialogs) == 1")
    desk.wait(f"{DIALOG}.bar.value() > 10 and {DIALOG}.text.text().startswith('Step')")
    assert desk.ask(f"{DIALOG}.windowTitle()") == "My work"
    assert desk.ask("focus()") == "editor"
    assert desk.ask("figures()") == [], "it is no figure"
    desk.click(f"{DIALOG}._buttons.itemAt(2).widget()")
    desk.wait("state() == 'IDLE' and 'ended at' in output()", 20)
    desk.wait("not window.desktop.progress.dialogs and figures() == [1]")


def test_a_progress_dialog_that_is_closed_ends_with_its_script(desk: Desk) -> None:
    desk.run("h = waitbar(0.4, 'Working');")
    desk.wait("len(window.desktop.progress.dialogs) == 1")
    desk.run("close all")
    desk.run("waitbar(0.5)")
    desk.wait(f"{DIALOG}.share.text() == '50%'")
    desk.ask(f"bool([{DIALOG}.close()])")
    desk.wait("not window.desktop.progress.dialogs")
    desk.run("disp(ishandle(h))")
    desk.wait("output().rstrip().endswith('0')")
