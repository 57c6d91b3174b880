"""Python in a process of its own: another interpreter, its end, and a stop."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.builtins.python.py_environment import Environment, environment_of
from app.errors import MatlabError
from app.source import SourceText
from tests.support.python_scripts import Scripts

OWN = "pyenv(ExecutionMode='OutOfProcess');"


@pytest.fixture
def scripts() -> Iterator[Scripts]:
    made = Scripts()
    yield made
    made.session.close()


def _environment(scripts: Scripts) -> Environment:
    return environment_of(scripts.session.interpreter.context)


def _ends(pid: int) -> bool:
    for _ in range(1200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter that has the standard library only."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    program = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return str(folder / program)


def test_an_interpreter_without_numpy_computes_with_what_it_has(
    scripts: Scripts, bare: str
) -> None:
    scripts.run(
        f"e = pyenv(Version='{bare}'); assert(e.Executable == '{bare}');"
        'assert(e.Status == "Loaded" && e.ExecutionMode == "OutOfProcess");'
        "assert(strcmp(char(py.sys.executable), e.Executable));"
        "assert(str2double(e.ProcessID) == py.os.getpid());"
        "try, py.numpy.ones(2), error('found'), catch e, assert(contains(e.message, 'py.numpy')), end"
    )
    scripts.run(
        "assert(py.sum([1 2 3]) == 6); assert(strcmp(class(py.copy.copy([1 2])), 'py.array.array'));"
        "m = py.memoryview([1 2 3; 4 5 6]); assert(isequal(double(m), [1 2 3; 4 5 6]));"
        "k = py.memoryview(reshape(int16(1:24), 2, 3, 4)); assert(isequal(int16(k), reshape(int16(1:24), 2, 3, 4)));"
        "assert(isequal(double(py.list(int8([1 2 3]))), [1 2 3]));"
        "assert(isequal(logical(py.list([true false])), [true false]))"
    )
    with pytest.raises(MatlabError, match="need NumPy"):
        scripts.run("py.list([1i 2])")


def test_a_program_that_is_no_python_is_refused_and_changes_nothing(
    scripts: Scripts, tmp_path: Path
) -> None:
    other = tmp_path / "program"
    other.write_text("no program")
    for version in (str(other), str(Path("/bin/true")), "7.25"):
        with pytest.raises(MatlabError) as caught:
            scripts.run(f"pyenv(Version='{version}')")
        assert caught.value.identifier == "MATLAB:Python:NoInterpreter"
    scripts.run('assert(py.math.sqrt(4) == 2 && pyenv().ExecutionMode == "InProcess")')


def test_another_interpreter_cannot_run_in_this_process(scripts: Scripts, bare: str) -> None:
    with pytest.raises(MatlabError) as caught:
        scripts.run(f"pyenv(Version='{bare}', ExecutionMode='InProcess')")
    assert caught.value.identifier == "MATLAB:Python:OtherInterpreter"


def test_a_terminated_process_has_gone_and_the_next_call_starts_one(scripts: Scripts) -> None:
    scripts.run(f"{OWN} x = py.list({{1}}); p = double(py.os.getpid());")
    pid = int(str(scripts.session.interpreter.base["p"]).removesuffix(".0"))
    scripts.run('e = pyenv; terminate(e); assert(e.Status == "Terminated")')
    assert _ends(pid)
    for code in ("x.append(2)", "disp(x)", "double(x)", "py.len(x)"):
        with pytest.raises(MatlabError) as caught:
            scripts.run(code)
        assert caught.value.identifier == "MATLAB:Python:ProcessEnded", code
    scripts.run('clear x; assert(double(py.os.getpid()) ~= p && pyenv().Status == "Loaded")')
    with pytest.raises(MatlabError, match="ends with it alone"):
        scripts.run("pyenv(ExecutionMode='InProcess'); terminate(pyenv)")


def test_a_crash_is_an_error_that_names_it(scripts: Scripts) -> None:
    scripts.run(OWN)
    with pytest.raises(MatlabError, match=r"exit status 7.*starts it again") as caught:
        scripts.run("feval('py.os._exit', int32(7))")
    assert caught.value.identifier == "MATLAB:Python:ProcessEnded"
    scripts.run(
        "try, pyrun('import os; os.abort()'), error('went on'), "
        "catch e, assert(strcmp(e.identifier, 'MATLAB:Python:ProcessEnded')), end;"
        "assert(py.math.sqrt(9) == 3)"
    )


@pytest.mark.parametrize(
    "busy",
    [
        "import time; time.sleep(60)",
        "while True: pass",
    ],
)
def test_a_stop_interrupts_python_and_leaves_it_usable(scripts: Scripts, busy: str) -> None:
    scripts.run(f"{OWN} pyrun('kept = 5'); ")
    pid = _environment(scripts).running_process().pid  # type: ignore[union-attr]
    threading.Timer(0.3, scripts.session.cancel, (True,)).start()
    scripts.session.run_source(SourceText("<test>", f'pyrun("{busy}")'))
    assert scripts.session.last_status == "interrupted"
    scripts.run("assert(double(pyrun('', 'kept')) == 5)")
    assert _environment(scripts).running_process().pid == pid  # type: ignore[union-attr]


def test_python_that_heeds_no_interrupt_is_ended(scripts: Scripts) -> None:
    deaf = [
        "while True:",
        "    try:",
        "        time.sleep(9)",
        "    except BaseException:",
        "        pass",
    ]
    lines = ", ".join(f'"{line}"' for line in ["import time", *deaf])
    scripts.run(OWN)
    threading.Timer(0.3, scripts.session.cancel, (True,)).start()
    scripts.session.run_source(SourceText("<test>", f"pyrun([{lines}])"))
    assert scripts.session.last_status == "interrupted"
    scripts.run("assert(py.math.sqrt(4) == 2)")


def test_a_session_that_ends_leaves_no_process() -> None:
    made = Scripts()
    made.run(OWN)
    process = _environment(made).running_process()
    assert process is not None
    made.session.close()
    assert _ends(process.pid)


@pytest.mark.skipif(os.name == "nt", reason="a process that has lost its parent is seen by its id")
def test_an_engine_that_is_killed_leaves_no_process_even_a_busy_one(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = f"import os, time; open('{note}', 'w').write(str(os.getpid())); time.sleep(100)"
    script = tmp_path / "s.m"
    script.write_text(f'{OWN} pyrun("{code}")\n')
    engine = subprocess.Popen([sys.executable, "-m", "app", "run", str(script)])
    for _ in range(600):
        if note.exists() and note.read_text():
            break
        time.sleep(0.05)
    engine.kill()
    engine.wait()
    assert _ends(int(note.read_text()))


def test_two_sessions_have_processes_of_their_own(scripts: Scripts) -> None:
    other = Scripts()
    try:
        for made in (scripts, other):
            made.run(f"{OWN} pyrun('x = 1');")
        scripts.run("pyrun('x = 2'); x = py.list({1});")
        other.run("assert(double(pyrun('', 'x')) == 1)")
    finally:
        other.session.close()


def test_functions_call_python_that_calls_functions(scripts: Scripts) -> None:
    scripts.run(
        f"{OWN} f = @(x) double(py.int(int32(x))) + py.sum(py.map(@(y) y * 2, {{1, 2}}));"
        "assert(isequal(cell(py.map(f, {1, 2})), {7, 8}));"
        "assert(isequal(func2str(cell2mat_(py.list({f}))), func2str(f)));\n"
        "function y = cell2mat_(l), y = l{1}; end"
    )


def test_what_is_let_go_there_is_let_go_here(scripts: Scripts) -> None:
    scripts.run(
        f"{OWN} pyrun(['import weakref', newline, 'class A: pass', newline, 'a = A()', newline, "
        "'w = weakref.ref(a)']); x = pyrun('', 'a'); pyrun('del a'); clear x; py.len('a');"
        "y = pyrun('gone = w() is None', 'gone'); assert(y)"
    )
