"""Toolboxes of others: made, tested, installed as a wheel, used, and refused when broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import main
from app.api import Session
from app.cli.command_line import Options
from app.cli.project_options import with_project, with_trusted_project
from app.cli.run import do_run
from app.engine.declarations import registry, toolboxes
from app.engine.declarations.toolbox_manifest import satisfies
from app.engine.declarations.toolbox_repositories import folder_in
from app.engine.session import language_service as service
from app.errors import MatlabError, UsageError
from app.source import SourceText

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A process that knows no toolboxes, and a user who has none."""
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(toolboxes._Known, "by_folder", {})
    monkeypatch.setattr(toolboxes._Known, "functions", {})
    toolboxes._find_installed.cache_clear()
    yield
    toolboxes._find_installed.cache_clear()
    for name in [n for n, b in registry._loaded.items() if b.toolbox is not None]:
        del registry._loaded[name]
    for module in [m for m in sys.modules if m.startswith(("fuselab_toolbox_", "fuselab"))]:
        del sys.modules[module]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new toolbox ``waves``, as it was made."""
    target = tmp_path_factory.mktemp("toolboxes") / "waves"
    assert main.main(["toolbox", "new", str(target)]) == 0
    return target


def evaluated(code: str, *path: Path) -> str:
    with Session("cpu", path=path) as session:
        return session.eval(code).output


def folder_with(tmp_path: Path, functions: str = "", **entries: str) -> Path:
    folder = tmp_path / "box"
    folder.mkdir()
    facts = {"name": "box", "version": "1.0", **entries}
    lines = (f'{key} = "{value}"' for key, value in facts.items())
    (folder / "toolbox.toml").write_text("\n".join(lines), encoding="utf-8")
    (folder / "functions.py").write_text(functions, encoding="utf-8")
    return folder


def test_a_new_toolbox_passes_its_own_tests(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["toolbox", "test", str(made)]) == 0
    said = capsys.readouterr().out
    assert "3 of 3 declared cases are true" in said
    assert "2 passed" in said


USES = """
ver
help waves_wave
x = linspace(-1, 1, 9);
disp(abs(waves_energy(x) - sum((sin(x).*exp(-x.^2)).^2)) < 1e-12)
[t, n] = waves_label(x, 'm'); disp(t); disp(class(n)); disp(exist('waves_wave'))
try, waves_wave(1, 2, 3); catch e, disp(e.identifier), end
disp(verLessThan('waves', '0.2'))
"""


def test_a_wheel_is_used_where_it_is_installed(made: Path, tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    built = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)],
        cwd=made,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel] = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)  # what installing a plain wheel does
    done = subprocess.run(
        [sys.executable, "-m", "app", "--restricted", "eval", USES],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "FUSELAB_DEVICE": "cpu", "PYTHONPATH": f"{CHECKOUT}:{site}"},
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "waves 0.1  what waves is about" in done.stdout, said
    assert "A damped wave, element by element." in done.stdout, said
    shown = ["1", "9 values in m", "double", "5", "MATLAB:maxrhs", "1"]
    assert [line.strip() for line in done.stdout.split("\n")[-7:-1]] == shown, said


def test_added_ones_are_used_until_they_are_removed(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["toolbox", "add", str(made)]) == 0
    assert evaluated("disp(waves_energy(0))").strip() == "0"
    capsys.readouterr()
    assert main.main(["toolbox", "list"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("waves            0.1 ")
    assert main.main(["toolbox", "remove", "waves"]) == 0
    assert toolboxes.added_folders() == []


def test_a_device_form_is_captured_and_gives_the_hosts_numbers(made: Path) -> None:
    code = "x = linspace(-3, 3, 200000); y = waves_wave(x, 2); m = max(abs(y - z(x)));"
    code += " function y = z(x), y = sin(x/2).*exp(-(x/2).^2); end"
    with Session("cpu", path=(made / "waves",), capture_threshold=1024) as session:
        session.eval(code)
        assert not session["y"].is_host
        assert session["m"] < 1e-15


def test_loops_in_parallel_call_its_functions(made: Path) -> None:
    code = "x = zeros(1, 3); parfor k = 1:3, x(k) = waves_energy(k) + pole(tf(1, [1 k])); end\n"
    code += "disp(isequal(x, arrayfun(@waves_energy, 1:3) - (1:3)))"
    assert evaluated(code, made / "waves").strip() == "1"


def test_editors_know_its_functions(made: Path) -> None:
    toolboxes.folders_at(str(made / "waves"))
    document = service.open_document(SourceText("<text>", "y = waves_wa"))
    around = service.look_around([made / "waves"], {})
    _, found = service.best_completions(document, 12, around)
    assert found[0].label == "waves_wave"
    page = service.help_page("waves_wave")
    assert page is not None
    assert (page.on_device, page.signatures[0]) == (True, "Y = waves_wave(X)")
    toolboxes.use(made / "waves", is_installed=True)
    assert "waves_energy" in service.look_around([]).functions
    analysis = service.analyse(SourceText("<text>", "y = waves_wave(1, 2);"))
    assert len(analysis.functions) == 1


@pytest.mark.parametrize(
    ("functions", "entries", "reason"),
    [
        ("import no_such_module\n@builtin(\n    'x')", {}, ""),
        ("def f(:\n", {}, ""),
        ('@builtin("sin"\n', {}, "it declares 'sin', which is a builtin"),
        ("", {"fuselab": ">=99"}, "it works with Fuselab >=99; this is"),
        ("", {"version": "new"}, "version must be numbers"),
        ("", {"nam": "x"}, "'nam' is not an entry"),
        ("", {"fuselab": "new"}, "'new' says no versions"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(
    tmp_path: Path, functions: str, entries: dict[str, str], reason: str
) -> None:
    folder = folder_with(tmp_path, functions, **entries)
    found = toolboxes.use(folder)
    assert reason in found.problem
    assert bool(found.problem) == bool(reason)


BROKEN = """
import no_such_module
from fuselab.toolbox import builtin
@builtin("box_f", category="box", signatures=("box_f",))
def f(): pass
"""
RAISING = """
from fuselab.toolbox import builtin
@builtin("box_f", category="box", signatures=("y = box_f(x)",))
def f(x):
    "Fails."
    if x == 1: raise KeyError("one")
    if x == 2: return {1: 2}
    if x == 3: return [1]
    return 7
"""


def test_broken_code_is_an_error_of_the_script_with_its_place(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, BROKEN)
    with pytest.raises(MatlabError, match=r"cannot be used: functions\.py:2: ModuleNotFoundError"):
        evaluated("box_f", folder)
    assert "cannot be used" in evaluated("ver; help box_f", folder)


def test_errors_of_its_functions_name_it_and_the_line(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, RAISING)
    said = evaluated(
        "disp(class(box_f(0)));for k = 1:3, try, y = box_f(k); catch e, disp(e.message), end, end",
        folder,
    )
    assert said.startswith("double\nbox_f of the toolbox 'box': functions.py:6: KeyError: 'one'")
    assert said.count("TypeError: it gave a ") == 2


def test_folders_bring_no_python_into_a_restricted_run(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, RAISING)
    refused = pytest.raises(MatlabError, match=r"Python code of the toolbox 'box'.* restricted run")
    with Session("cpu", path=(folder,), restricted=True) as session, refused:
        session.eval("box_f(0)")
    assert evaluated("disp(box_f(0))", folder).strip() == "7"


def test_projects_pin_toolboxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder_with(tmp_path, RAISING)
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "fuselab.toml"
    for entry, code, said in (
        ('box = { folder = "box", version = ">=1,<2" }', 0, "7"),
        ('box = { folder = "box", version = "2" }', 2, "the project needs box 2; there is 1.0"),
        ('other = { version = "1" }', 2, "the toolbox other, which is not installed"),
        ('box = "1"', 2, "box in [toolboxes] takes folder, git, revision and version"),
    ):
        project.write_text(f"[toolboxes]\n{entry}\n")
        assert main.main(["eval", "disp(box_f(0))"]) == code
        shown = capsys.readouterr()
        assert said in shown.out + shown.err


def committed(folder: Path, tag: str) -> None:
    """Everything in a folder as a commit of its repository."""
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    steps = (["init", "-q"], ["add", "."], [*author, "commit", "-qm", tag], ["tag", tag])
    for step in steps:
        subprocess.run(["git", "-C", str(folder), *step], check=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_projects_pin_revisions_of_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box = folder_with(tmp_path, RAISING)
    committed(box, "one")
    (box / "toolbox.toml").write_text('name = "box"\nversion = "2.0"\n', encoding="utf-8")
    committed(box, "two")
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "f.m").write_text("x = 1;", encoding="utf-8")
    committed(plain, "one")
    home = tmp_path / "project"
    home.mkdir()
    monkeypatch.chdir(home)
    address = box.as_uri()
    for entry, code, said in (
        ('git = "../box", revision = "one", version = "1.0"', 0, "7"),
        (f'git = "{address}", revision = "two", version = "1.0"', 2, "needs box 1.0; there is 2.0"),
        ('git = "../box", revision = "three"', 2, "git could not get"),
        ('git = "../box"', 2, "has git with a revision"),
        ('git = "../box", revision = "one", folder = "../box"', 2, "is in a folder, or has git"),
        ('git = "../box", revision = "--hard"', 2, "is not the address of a repository"),
        ('git = "../plain", revision = "one"', 2, "plain: fuselab toolbox new makes"),
    ):
        (home / "fuselab.toml").write_text(f"[toolboxes]\nbox = {{ {entry} }}\n")
        monkeypatch.setattr(toolboxes._Known, "by_folder", {})
        monkeypatch.setattr(toolboxes._Known, "functions", {})
        assert main.main(["eval", "disp(box_f(0))"]) == code
        shown = capsys.readouterr()
        assert said in shown.out + shown.err
    shutil.rmtree(box)
    (home / "fuselab.toml").write_text(
        '[toolboxes]\nbox = { git = "../box", revision = "one" }\n'.replace("../box", str(box))
    )
    assert main.main(["eval", "disp(box_f(0))"]) == 0, "what was got once is kept"


def test_editors_run_nothing_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens it has not trusted it yet; a script that ran has what it brings explained."""
    monkeypatch.setattr(toolboxes._Known, "by_scripts", False)
    ran = tmp_path / "ran"
    folder = folder_with(tmp_path, f"open({str(ran)!r}, 'w').close()\n{RAISING}")
    toolboxes.load_by_scripts_only()
    toolboxes.folders_at(str(folder))
    document = service.open_document(SourceText("<text>", "y = box_f(1)"))
    assert service.hover(document, 5) is not None
    page = service.help_page("box_f")
    assert page is not None
    assert "known once a script ran it" in page.text
    assert not ran.exists()
    assert evaluated("disp(box_f(0))", folder).strip() == "7"
    assert ran.exists()
    page = service.help_page("box_f")
    assert page is not None
    assert "script ran" not in page.text


def test_a_window_reads_no_project_of_a_folder_that_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may name any folder, which scripts could read, and repositories that git would get."""
    project, other = tmp_path / "project", tmp_path / "other"
    project.mkdir()
    other.mkdir()
    (project / "fuselab.toml").write_text("no project")
    monkeypatch.chdir(project)
    given = Options("window")
    assert with_trusted_project(given, lambda _: False) == given
    assert with_project(Options("run", ("s.m",), (), restricted=True)).path == ()
    with pytest.raises(UsageError, match="needs a FILE"):
        do_run(Options("run", restricted=True))
    (project / "fuselab.toml").write_text('[project]\npath = ["../other"]\n')
    assert with_project(given) == given
    assert with_trusted_project(given, lambda _: False) == given
    assert "read once its folder is trusted" in capsys.readouterr().err
    assert str(other) in with_trusted_project(given, project.samefile).path


@pytest.mark.parametrize("verb", ["check", "functions", "device", "lsp"])
def test_what_runs_nothing_gets_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    (tmp_path / "fuselab.toml").write_text(
        '[toolboxes]\nbox = { git = "../no", revision = "one" }\n'
    )
    monkeypatch.chdir(tmp_path)
    assert with_project(Options(verb)).path == (str(tmp_path),)
    with pytest.raises(UsageError, match="git"):
        with_project(Options("eval", ("1",)))


@pytest.mark.parametrize(
    ("version", "wanted", "holds"),
    [
        ("1.2", ">=1.2,<2", True),
        ("1.10", ">1.9", True),
        ("2.0", "<2", False),
        ("2.0.0", "2", True),
        ("0.1.0", "!=0.1", False),
        ("1", "", True),
    ],
)
def test_versions(version: str, wanted: str, *, holds: bool) -> None:
    assert satisfies(version, wanted) is holds


@pytest.mark.parametrize("name", ["x/../waves", "./waves/", "x/y/../../waves"])
def test_a_new_one_makes_the_folder_that_its_name_leads_to_and_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["toolbox", "new", name]) == 0
    assert [made.name for made in tmp_path.iterdir()] == ["waves"]
    assert main.main(["toolbox", "new", "waves/../waves"]) == 2  # it is there


def test_wrong_orders_say_what_there_is(tmp_path: Path) -> None:
    for words in (["toolbox", "paint"], ["toolbox", "add"], ["toolbox", "new", "No Name"]):
        assert main.main(words) == 2
    with pytest.raises(UsageError, match=r"no toolbox\.toml"):
        folder_in(tmp_path)
