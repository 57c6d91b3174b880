"""Lines that the command window names lead to their files, by a click and by keys."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from tests.support.window import output, run

Open = Callable[..., MainWindow]
KINDS = {
    "warning": "    warning('some words')\n",
    "stack": "    dbstack\n",
    "report": "    try\n        error('a:b', 'Bad.')\n    catch e\n        disp(getReport(e))\n    end\n",
}


def place(window: MainWindow) -> tuple[str, int]:
    """Where the caret is."""
    editor = window.editors.current()
    assert editor is not None
    assert editor.path is not None
    return editor.path.stem, editor.caret_line


def program(seed: int) -> tuple[dict[str, str], list[tuple[str, int]]]:
    """Files whose functions say where they are, and the places that must be named, in order."""
    chance = random.Random(seed)
    files: dict[str, str] = {"story": ""}
    expected: list[tuple[str, int]] = []
    for number in range(chance.randint(2, 5)):
        home = chance.choice(["file", "other", "local"])
        name, kind = f"f{number}", chance.choice(sorted(KINDS))
        body = "% words\n" * chance.randint(0, 4)
        text = f"function {name}(a)\n{body}{KINDS[kind]}end\n"
        line = body.count("\n") + 2 + (kind == "report")
        file = "story" if home == "local" else name
        if home == "other":  # a local function of a file that is not open
            text = f"function {name}\n    inner{number}(1)\nend\n" + text.replace(
                name, f"inner{number}"
            )
            line += 3
        files[file] = files.get(file, "") + text if file != "story" else files[file]
        expected.append((file, line) if home != "local" else (text, line))
        files["story"] += f"{name}{'' if home == 'other' else '(1)'}\n"
    for index, (file, line) in enumerate(expected):
        if file not in files:  # behind the code of the script
            begin = files["story"].count("\n")
            files["story"] += file
            expected[index] = ("story", begin + line)
    return files, expected


@pytest.mark.parametrize("seed", range(6))
def test_every_named_line_is_reached_in_turn(
    open_window: Open, qtbot: QtBot, tmp_path: Path, seed: int
) -> None:
    files, expected = program(seed)
    for name, text in files.items():
        (tmp_path / f"{name}.m").write_text(text)
    window = open_window(files["story"], layout="classic")
    run(window, qtbot)
    transcript = window.command_window.transcript
    qtbot.waitUntil(lambda: output(window) != "")
    reached: list[tuple[str, int]] = []
    while transcript.links.step(-1):
        reached.append(place(window))
    missing = [wanted for wanted in expected if wanted not in reached]
    assert not missing, (files, output(window), reached)
    for line in range(transcript.lineCount()):
        for named in transcript.links.places(line):
            transcript.hotSpotClick.emit(named.start, 0)
            assert place(window) in reached
    transcript.write("Warning: more\n> In story (line 1)\n> In story (line 2)\n", "warning")
    for command, wanted in (("next", 1), ("next", 2), ("next", 2), ("previous", 1)):
        window.commands.run(f"edit.{command}_place")
        assert place(window) == ("story", wanted)


def test_of_files_with_one_name_the_one_that_is_called_is_shown(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    away = tmp_path / "away" / "f.m"
    away.parent.mkdir()
    away.write_text("function f\nend\n")
    (tmp_path / "f.m").write_text("function f\n\nwarning('here')\nend\n")
    window = open_window("f\n", layout="classic")
    window.editors.open(away)
    window.open_file(tmp_path / "story.m")
    run(window, qtbot)
    window.commands.run("edit.next_place")
    editor = window.editors.current()
    assert editor is not None
    assert (editor.path, editor.caret_line) == (tmp_path / "f.m", 3)
