"""Changed files of the repository, side by side, and nothing of git before it is trusted."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.desk.desk import Desk

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
PANEL = "window.panel('changes')"
PAIRS = f"[(p.kind, p.before[1], p.after[1]) for p in {PANEL}.pairs.pairs]"
STATES = f"[(str(p.name), s) for p, s in {PANEL}.files.rows_model.rows]"


def repository(folder: Path) -> None:
    """A repository with one commit, one changed file and a new one."""
    folder.mkdir(exist_ok=True)
    (folder / "main.m").write_text("a = 1;\nb = 2;\nc = 3;\n")
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    (folder / "main.m").write_text("a = 1;\nb = 20;\nc = 3;\nd = 4;\n")
    (folder / "fresh.m").write_text("x = 1;\n")


def test_changed_files_are_shown_beside_what_was_committed(desk: Desk) -> None:
    repository(desk.folder / "repo")
    desk.ask(f"bool([window.change_folder(Path({str(desk.folder / 'repo')!r}))])")
    desk.ask("bool([window.docks.show_panel('changes')])")
    desk.wait("'until you trust repo' in window.panel('changes')._empty.text_label.text()")
    desk.click("find('Trust this folder')")
    desk.wait(f"{STATES} == [('fresh.m', '?'), ('main.m', 'M')]", 20)
    desk.wait(f"{PAIRS} == [('added', '', 'x = 1;')]")
    desk.click(f"{PANEL}.files.viewport()", (0.2, 36 / 200))
    desk.wait(f"('changed', 'b = 2;', 'b = 20;') in {PAIRS}", 20)
    assert desk.ask(PAIRS)[-1] == ["added", "", "d = 4;"]
    desk.click("find('Next change')")
    desk.click("find('Open the file')")
    desk.wait("editor() is not None and editor().name == 'main.m' and editor().caret_line == 2")
    desk.to_editor()
    desk.key("ctrl+a")
    desk.type("a = 1;\nb = 2;\nc = 3;\n")
    desk.key("ctrl+s")
    desk.wait(f"[str(p.name) for p, s in {PANEL}.files.rows_model.rows] == ['fresh.m']", 30)
