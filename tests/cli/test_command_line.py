from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import command_line
from app.errors import UsageError


def test_files_alone_open_the_window() -> None:
    parsed = command_line.parse(["a.m", "b.m", "--theme", "light"])
    assert (parsed.verb, parsed.operands, parsed.theme) == ("window", ("a.m", "b.m"), "light")


def test_what_follows_two_dashes_belongs_to_the_script() -> None:
    parsed = command_line.parse(["run", "a.m", "--quiet", "--", "--device", "x"])
    assert parsed.script_arguments == ("--device", "x")
    assert (parsed.quiet, parsed.device) == (True, "")


def test_options_may_stand_before_the_verb() -> None:
    parsed = command_line.parse(["--device", "cpu", "run", "a.m"])
    assert (parsed.verb, parsed.device) == ("run", "cpu")


def test_standard_input_is_an_operand() -> None:
    assert command_line.parse(["run", "-"]).operands == ("-",)


def test_code_may_begin_with_a_dash() -> None:
    assert command_line.parse(["eval", "--", "-x"]).operands == ("-x",)


def test_path_repeats(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    folders = (str(tmp_path), str(tmp_path / "p"))
    given = ["run", "a.m", "--path", folders[0], "--path", folders[1]]
    assert command_line.parse(given).path == folders


def test_folders_to_search_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no folder '.*nowhere'"):
        command_line.parse(["run", "a.m", "--path", str(tmp_path / "nowhere")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "a.m", "--report", "a.m"], "written over a.m"),
        (["run", "a.m", "--trace", "./link.m"], "written over a.m"),
        (["run", "a.m", "--report", "r", "--trace", "./r"], "written over"),
        (["explain", "a.m", "--report", "a.m"], "written over a.m"),
        (["shot", "a.m", "a.m"], "written over a.m"),
        (["shot", "a.m", "b.png", "--report", "b.png"], "written over b.png"),
        (["export", "a.m", "../a/a.m"], "written over a.m"),
        (["run", "a.m", "--report", ""], "--report needs the name of a file"),
    ],
)
def test_nothing_is_written_over_what_is_read(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "a.m").write_text("x = 1;", encoding="utf-8")
    (folder / "link.m").symlink_to("a.m")
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=message):
        command_line.parse(arguments)


def test_variables_of_switches_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUSELAB_RESTRICTED", "Off")
    assert not command_line.parse(["run", "a.m"]).restricted
    monkeypatch.setenv("FUSELAB_RESTRICTED", "si")
    with pytest.raises(UsageError, match="FUSELAB_RESTRICTED must be"):
        command_line.parse(["run", "a.m"])


def test_variables_stand_in_for_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUSELAB_REPORT", "r.json")
    monkeypatch.setenv("FUSELAB_FORMAT", "json")
    monkeypatch.setenv("FUSELAB_OCTAVE", "1")
    parsed = command_line.parse(["run", "a.m"])
    # Files are of the folder the command is given in, whatever folder the script goes to.
    assert (parsed.report, parsed.octave) == (str(Path("r.json").absolute()), True)
    assert parsed.format == "text"
    again = command_line.parse(["run", "a.m", "--report", "s.json"])
    assert again.report == str(Path("s.json").absolute())


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--size", "1x1"],
        ["run", "a", "b"],
        ["device", "x"],
        ["run", "a", "--unknown"],
        ["check"],
        ["device", "--format", "xml"],
        ["run", "a.m", "--size", "1x1"],
    ],
)
def test_wrong_usage_is_refused(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        command_line.parse(arguments)


@pytest.mark.parametrize("verb", command_line.VERBS)
def test_every_verb_has_its_function(verb: str) -> None:
    assert callable(command_line.handler(verb))
