"""``pkg`` in Octave's dialect: folders of packages, packages that are built in, errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.builtins.session.packages import BUILT_IN
from app.errors import MatlabError
from tests.engine.builtins.engine_session import OctaveSession, Session


def _package(prefix: Path, name: str, version: str, answer: int, depends: str = "") -> None:
    folder = prefix / f"{name}-{version}"
    for inner in (folder / "more", folder / "private", folder / "packinfo"):
        inner.mkdir(parents=True)
    said = f"Name: {name}\nVersion: {version}\n" + (f"Depends: {depends}\n" if depends else "")
    (folder / "packinfo" / "DESCRIPTION").write_text(said)
    (folder / f"{name}_answer.m").write_text(
        f"function r = {name}_answer()\n  r = {answer} + {name}_one();\nend\n"
    )
    (folder / "private" / f"{name}_one.m").write_text(f"function r = {name}_one()\n  r = 1;\nend\n")
    (folder / "more" / f"{name}_more.m").write_text(f"function r = {name}_more()\n  r = 5;\nend\n")


def test_an_installed_package_and_what_it_needs_are_loaded(tmp_path: Path) -> None:
    _package(tmp_path, "larch", "1.9.0", 10)
    _package(tmp_path, "larch", "1.10.0", 20, "octave (>= 4.0), birch (>= 1)")
    _package(tmp_path, "birch", "2.0", 30)
    session = OctaveSession()
    session.run(f"pkg prefix {tmp_path}")
    session.run("pkg load larch")
    assert session.holds("larch_answer() == 21 && birch_answer() == 31 && larch_more() == 5")
    shown = session.run("pkg list")
    assert "larch *" in shown
    assert "1.10.0" in shown
    assert "1.9.0" not in shown
    assert session.holds("numel(pkg('list')) >= 2")
    session.run("pkg unload larch")
    with pytest.raises(MatlabError, match="larch_answer"):
        session.run("larch_answer();")


def test_all_packages_are_loaded_and_unloaded_by_one_word(tmp_path: Path) -> None:
    _package(tmp_path, "larch", "1.9.0", 10)
    _package(tmp_path, "birch", "2.0", 30)
    session = OctaveSession()
    session.run(f"pkg prefix {tmp_path}")
    session.run("pkg load all")
    assert session.holds("larch_answer() == 11 && birch_answer() == 31")
    session.run("pkg unload all")
    with pytest.raises(MatlabError, match="birch_answer"):
        session.run("birch_answer();")


def test_a_folder_sets_itself_up_as_it_comes_to_the_path(tmp_path: Path) -> None:
    (tmp_path / "PKG_ADD").write_text("[~] = kept_words(mfilename());\n")
    (tmp_path / "kept_words.m").write_text(
        "function r = kept_words(w)\n  persistent held = {};\n"
        "  if nargin, held{end + 1} = w; end\n  r = held;\nend\n"
    )
    session = OctaveSession()
    session.run(f"addpath('{tmp_path}'); addpath('{tmp_path}')")
    assert session.holds("isequal(kept_words(), {'PKG_ADD'})")


def test_options_of_a_package_are_known_to_optimset() -> None:
    session = OctaveSession()
    session.run("function r = climber(varargin), r = struct('StepUp', []); end")
    assert "unrecognized option: stepup" in session.run("optimset('stepup', 3);")
    session.run("[~] = __all_opts__('climber');")
    assert session.run("o = optimset('stepup', 3);") == ""
    assert session.holds("o.StepUp == 3 && any(strcmp(__all_opts__(), 'StepUp'))")


def test_print_usage_names_the_calls_of_the_help(tmp_path: Path) -> None:
    (tmp_path / "spread.m").write_text(
        "## -*- texinfo -*-\n## @deftypefn  {kit} {[@var{m}, @var{s}] =} spread (@var{x})\n"
        "## @deftypefnx {} {} spread (@dots{}, @qcode{'all'})\n## @end deftypefn\n"
        "function spread(x)\n  print_usage();\nend\n"
    )
    session = OctaveSession()
    session.run(f"addpath('{tmp_path}')")
    with pytest.raises(MatlabError) as caught:
        session.run("spread()")
    assert caught.value.message == (
        "Invalid call to spread.  Correct usage is:\n\n"
        " -- kit: [M, S] = spread (X)\n -- spread (..., 'all')"
    )


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_functions_of_a_package_that_is_built_in_exist(name: str) -> None:
    session = OctaveSession()
    assert session.run(f"pkg load {name}") == ""
    for function in BUILT_IN[name].split():
        assert session.interpreter.builtin(function) is not None, function


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pkg load nosuchpackage", "package nosuchpackage is not installed"),
        ("pkg frob", "invalid action"),
        ("pkg load", "at least one package name"),
        ("pkg install -forge io", "not supported"),
        ("pkg load -frob io", "-frob"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(MatlabError, match=message):
        OctaveSession().run(text)


def test_the_other_dialect_loads_packages_too(tmp_path: Path) -> None:
    _package(tmp_path, "larch", "1.9.0", 10)
    session = Session()
    assert session.run(f"pkg prefix {tmp_path}\npkg load statistics larch") == ""
    assert session.holds("larch_answer() == 11 && abs(normpdf(0) - 0.39894) < 1e-5")
    with pytest.raises(MatlabError, match="package nosuchpackage is not installed"):
        session.run("pkg load nosuchpackage")
