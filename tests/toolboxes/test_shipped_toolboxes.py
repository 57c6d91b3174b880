"""The toolboxes that come with Fuselab: found as those of others are, left out, true examples.

Where GNU Octave's packages (communications, financial, fuzzy logic, mapping, splines) have the
function, the values of the examples are theirs as well; the others come from MATLAB's documentation
and from inverses.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app import main
from app.engine.declarations.builtin_index import TOOLBOXES, index, shipped
from tests.engine.builtins.engine_session import Session
from tests.support.true_examples import check_example_and_help, few, is_true, session_with_near

EXAMPLES = {
    file.stem: file.read_text(encoding="utf-8").splitlines()
    for file in sorted((Path(__file__).parent / "examples").glob("*.txt"))
}
ALL = [text for examples in EXAMPLES.values() for text in examples]
FILES = {t.name: [file for folder in t.path for file in folder.glob("*.m")] for t in shipped()}
CORE = "x = rand(3); y = fft(sum(x)) + std(x); p = polyfit(1:3, x(1, :), 1); plot(y)"
USES = """
disp([exist('tf'), exist('pole'), exist('qfunc'), exist('sum'), license('test', 'Control_Toolbox')])
try, pole(1), catch e, disp(e.message), end
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """One session for all."""
    return session_with_near(tmp_path_factory.mktemp("near"))


@pytest.mark.parametrize("text", few(ALL))
def test_example_is_true(session: Session, text: str) -> None:
    """A sixteenth of the examples."""
    assert is_true(session, text)


@pytest.mark.campaign
@pytest.mark.parametrize("text", ALL)
def test_every_example_is_true(session: Session, text: str) -> None:
    """All examples."""
    assert is_true(session, text)


@pytest.mark.parametrize("toolbox", shipped(), ids=lambda t: t.name)
def test_manifest_functions_and_examples(toolbox: object) -> None:
    from app.engine.declarations.toolbox_manifest import Toolbox

    assert isinstance(toolbox, Toolbox)
    assert (toolbox.name, toolbox.problem) == (toolbox.folder.name, "")
    assert toolbox.description
    files = FILES[toolbox.name]
    assert files or toolbox.modules
    check_example_and_help(files, EXAMPLES.get(toolbox.name, []))
    hidden = {*index(), *(name for t in shipped() for name in t.modules)}
    assert [p.stem for p in files if p.stem in hidden] == []


def printed(home: Path, *arguments: str) -> str:
    """What a process of a user with that home prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=TOOLBOXES.parents[1],
        env={**os.environ, "FUSELAB_DEVICE": "cpu", "FUSELAB_HOME": str(home)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_one_is_left_out_and_taken_back(tmp_path: Path) -> None:
    use = ("-m", "app", "eval", USES)
    printed(tmp_path, "-m", "app", "toolbox", "remove", "control")
    without = printed(tmp_path, *use).splitlines()
    assert without[0].split() == ["0", "0", "2", "5", "0"]
    assert without[1] == "Unrecognized function or variable 'pole'."
    assert "left out: fuselab toolbox add control" in printed(
        tmp_path, "-m", "app", "toolbox", "list"
    )
    printed(tmp_path, "-m", "app", "toolbox", "add", "control")
    back = printed(tmp_path, *use).splitlines()
    assert back[0].split() == ["2", "2", "2", "5", "1"]
    assert "pole" not in back[1]


def test_what_one_declares_is_tested_by_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["toolbox", "test", "curves"]) == 0
    said = re.fullmatch(r"(\d+) of (\d+) declared cases are true\n", capsys.readouterr().out)
    assert said is not None
    assert said[1] == said[2] != "0"


@pytest.mark.parametrize("there", [True, False], ids=["unused", "not there"])
def test_the_core_needs_none(there: bool, tmp_path: Path) -> None:
    code = "import sys\nfrom pathlib import Path\n"
    code += "from app.engine.declarations import builtin_index\nfrom app.api import Session\n"
    if not there:
        code += f"builtin_index.TOOLBOXES = Path({str(tmp_path / 'none')!r})\n"
    code += f"with Session('cpu') as s:\n    s.eval({CORE!r})\n"
    code += "    print([m for m in sys.modules if m.startswith('app.toolboxes')])\n"
    code += "    print(s.eval('disp(exist(\"tf\"))').output)"
    assert printed(tmp_path, "-c", code).split() == ["[]", "2" if there else "0"]
