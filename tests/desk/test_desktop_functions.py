"""The desktop's own functions: what a script asks for is shown, and progress can be cancelled."""

from __future__ import annotations

from tests.desk.desk import Desk

DIALOG = "next(iter(window.desktop.dialogs.shown.values()))"
QUESTION = "window.questions.dialog is not None and window.questions.dialog.isActiveWindow()"


def test_files_are_edited_where_they_are(desk: Desk) -> None:
    (desk.folder / "helper.m").write_text("function y = helper(x)\ny = x;\nend\n")
    desk.run(f"cd('{desk.folder}')")
    desk.run("edit helper")
    desk.wait("editor() is not None and editor().name == 'helper.m'")
    desk.run("edit fresh_one")
    desk.wait("editor().name == 'fresh_one.m' and editor().text() == ''")
    desk.wait("focus() == 'editor'")
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
        ("docsearch cosine", "help"),
        ("helpbrowser", "help"),
        ("doc sin", "help"),
        ("openvar kept", "variable"),
        ("workspace", "workspace"),
        ("filebrowser", "files"),
    ):
        desk.run(line)
        desk.wait(f"in_front({panel!r})")
    assert desk.ask("window.panel('variable').current.model.name") == "kept"
    desk.wait("'Sine of X' in window.panel('help').page.toPlainText()")
    for line, title in (("preferences", "Settings"), ("demo", "Open a copy of an example")):
        desk.run(line)
        desk.wait(f"seen({title!r}) or any({title!r} in name for name in dialogs())")
        desk.key("Escape")
        desk.wait(f"not seen({title!r}) and not any({title!r} in name for name in dialogs())")
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
    desk.wait("len(window.desktop.dialogs.shown) == 1")
    desk.wait(f"{DIALOG}.bar.value() > 10 and {DIALOG}.text.text().startswith('Step')")
    assert desk.ask(f"{DIALOG}.windowTitle()") == "My work"
    assert desk.ask("focus()") == "editor"
    assert desk.ask("figures()") == [], "it is no figure"
    desk.click(f"next(iter({DIALOG}.made.values()))")
    desk.wait("state() == 'IDLE' and 'ended at' in output()", 20)
    desk.wait("not window.desktop.dialogs.shown and figures() == [1]")


def test_a_progress_dialog_that_is_closed_ends_with_its_script(desk: Desk) -> None:
    desk.run("h = waitbar(0.4, 'Working');")
    desk.wait("len(window.desktop.dialogs.shown) == 1")
    desk.run("close all")
    desk.run("waitbar(0.5)")
    desk.wait(f"{DIALOG}.share.text() == '50%'")
    desk.ask(f"bool([{DIALOG}.close()])")
    desk.wait("not window.desktop.dialogs.shown")
    desk.run("disp(ishandle(h))")
    desk.wait("output().rstrip().endswith('0')")


def test_questions_are_answered_by_the_keyboard_alone(desk: Desk) -> None:
    desk.open(
        "a = inputdlg({'Rate', 'Note'}, 'Set', [1; 3], {'10', ''});\n"
        "b = questdlg('Go on?', 'Ask', 'Yes', 'No', 'Yes');\n"
        "k = listdlg('ListString', {'x', 'y', 'z'}, 'InitialValue', 2);\n"
        "fprintf('%s/%s/%s/%s', a{1}, a{2}', b, num2str(k));\n"
    )
    desk.to_editor()
    desk.key("F5")
    desk.wait(QUESTION)
    desk.type("25\t")
    desk.type("one\ntwo\t")
    desk.screen.do("key", "Return")  # let go when the dialog has gone: no window hears of that
    desk.wait(f"{QUESTION} and window.questions.dialog.windowTitle() == 'Ask'")
    desk.key("Tab")
    desk.screen.do("key", "space")
    desk.wait(f"{QUESTION} and focus() == 'Select:'")
    desk.key("shift+Down")
    desk.screen.do("key", "Return")
    desk.wait("output().endswith('25/onetwo/No/2  3')")
    assert desk.ask("editor().text()").startswith("a = inputdlg")
    desk.wait("focus() == 'editor'")


def test_whoever_writes_meanwhile_keeps_the_keyboard(desk: Desk) -> None:
    desk.open("pause(0.4); a = questdlg('Go on?');\n")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    desk.key("ctrl+End")
    desk.type("b = 1;")
    desk.wait("window.questions.dialog is not None")
    desk.type(" c = 2;")
    desk.wait("editor().text().endswith('b = 1; c = 2;') and focus() == 'editor'")
    desk.key("ctrl+F2")
    desk.wait("state() == 'IDLE' and window.questions.dialog is None")


def test_a_message_is_waited_for_and_a_progress_is_cancelled(desk: Desk) -> None:
    desk.open(
        "uiwait(msgbox({'Ready', 'to go'}, 'Hello')); disp('read');\n"
        "d = uiprogressdlg(uifigure, 'Message', 'Counting', 'Cancelable', 'on');\n"
        "for k = 1:1e4\n"
        "    if d.CancelRequested, break, end\n"
        "    d.Value = k/1e4; pause(0.005);\n"
        "end\n"
        "close(d); fprintf('%d\\n', k < 1e4);\n"
    )
    desk.to_editor()
    desk.key("F5")
    desk.wait("dialogs() == ['Hello']")
    desk.click(f"{DIALOG}.button")
    desk.wait(f"dialogs() == ['Progress'] and {DIALOG}.bar.value() > 10")
    desk.click(f"{DIALOG}.made[0]")
    desk.wait("state() == 'IDLE' and dialogs() == [] and output().rstrip().endswith('1')")


def test_a_command_is_profiled_as_scripts_are(desk: Desk) -> None:
    (desk.folder / "slow_one.m").write_text(
        "function s = slow_one()\ns = inner(0.15);\nend\n"
        "function s = inner(t)\npause(t)\ns = t;\nend\n"
    )
    desk.run("s = slow_one();")
    desk.run("s = slow_one();")
    functions = "{f.name: f.total_ms for f in window.panel('profile').functions.rows}"
    desk.ask("bool([window.docks.show_panel('profile')])")
    desk.wait(f"{functions}.get('inner', 0) > 200 and {functions}.get('slow_one', 0) > 200")


def test_a_folder_that_is_typed_is_gone_to_with_all_variables(desk: Desk) -> None:
    """Code of folders that nobody trusts is confined to them, which kept the person out, too."""
    other = desk.folder.parent / "other place"
    other.mkdir()
    (other / "greet.m").write_text("disp(['hello from there, ' name])\n")
    desk.run("name = 'you';")
    desk.run(f"cd '{other}'")
    desk.wait(f"str(window.current_folder) == {str(other)!r} and state() == 'IDLE'")
    desk.wait("'name' in [v.name for v in window.run_model.variables]")
    desk.run("greet")
    desk.wait("'hello from there, you' in output()")
