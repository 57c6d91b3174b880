"""Restricted runs: nothing gets out, and what is tried would get out without protection."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from app.cli import sandbox_attempts

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")

UNPROTECTED = """
import os
from app import restricted, sandbox
from app.cli import command_line, headless, sandbox_attempts, sandbox_test
sandbox_attempts._NETWORK = ()  # nobody answers: each would wait for its time to end
sandbox.enter = lambda *_: sandbox.Protection(True, True)
sandbox.forbid_processes = lambda: None
given = command_line.Options
def unrestricted(*words, restricted):
    return given(*words, quiet=True)
sandbox_test.Options = unrestricted
raise SystemExit(sandbox_test.do_sandbox_test(given("sandbox-test", (), ())))
"""


def _fuselab(
    *words: str, report: IO[str] | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        stdout=report or subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, **variables},
        timeout=300,
    )


@linux
def test_nothing_gets_out() -> None:
    done = _fuselab("-m", "app", "sandbox-test")
    if "not protected" in done.stdout:
        pytest.skip("this kernel has no Landlock")
    found = re.search(r"(\d+) attempts, (\d+) got out", done.stdout)
    assert found, done.stdout + done.stderr
    assert int(found[1]) >= 200
    assert (done.returncode, found[2]) == (0, "0"), done.stdout


@linux
def test_variables_that_begin_like_those_that_stay_are_forgotten() -> None:
    secrets = {f"{name}_TOKEN": "a secret" for name in ("LANGCHAIN", "TERM", "VK", "PATH", "LP")}
    code = (
        "from app import helpers, sandbox; import os; from pathlib import Path;"
        "sandbox.enter([], Path('/nowhere'));"
        "print(dict(os.environ), helpers.environment(), helpers.python_environment())"
    )
    done = _fuselab("-c", code, VK_ICD_FILENAMES="/a", LC_ALL="C", **secrets)
    assert "secret" not in done.stdout, done.stderr
    assert done.stdout.count("'VK_ICD_FILENAMES': '/a'") == 3
    assert done.stdout.count("'LC_ALL': 'C'") == 3


@linux
def test_without_protection_most_attempts_get_out_and_leave_nothing_behind(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with (tmp_path / "report").open("w+") as report:  # once, scripts were not tried then
        done = _fuselab("-c", UNPROTECTED, report=report, TMPDIR=str(temporary))
        report.seek(0)
        told = report.read()
    found = re.search(r"(\d+) attempts, (\d+) got out", told)
    assert found, told + done.stderr
    assert int(found[2]) > 0.6 * int(found[1]), told
    left = [p.name for p in temporary.rglob("*")]
    assert not left, "what lies in a temporary folder is imported by programs that start there"


@linux
@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_restricted_script_still_computes_and_draws(tmp_path: Path, how: str) -> None:
    script = tmp_path / "s.m"
    (tmp_path / "data.csv").write_text("1,2\n3,4\n")
    script.write_text(
        "d = readmatrix('data.csv'); f = [tempdir 'x.mat']; save(f, 'd'); l = load(f);\n"
        "plot(1:3); print([tempdir 'a.png'], '-dpng'); p = imread([tempdir 'a.png']);\n"
        "x = rand(1e5, 1); s = 0; for k = 1:1e5, s = s + k; end\n"
        "copyfile(f, [tempdir 'y.mat']); delete(f);\n"
        "b = [tempdir 'b.xlsx']; writematrix(d, b); same = isequal(readmatrix(b), d);\n"
        "disp([same, isequal(l.d, d), size(p, 3) == 3, sum(x) > 0, s == 5000050000, ~isfile(f)])\n"
    )
    words = ["-m", "app", "run", *(["--restricted"] if how == "option" else []), "s.m"]
    top = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": top}
        | ({} if how == "option" else {"FUSELAB_RESTRICTED": "1"}),
    )
    assert done.stdout.split() == ["1"] * 6, done.stdout + done.stderr
    assert "restricted run, " in done.stderr
    assert len(done.stderr.splitlines()) == 1, "the end of the process says nothing"


def test_there_are_enough_attempts_of_every_kind(tmp_path: Path) -> None:
    attempts = sandbox_attempts.every(tmp_path, 1)
    assert len(attempts) >= 200
    assert {a.kind for a in attempts} == {"writing", "reading", "programs", "network", "system"}
    assert len({a.label for a in attempts}) == len(attempts)


@linux
def test_a_report_may_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "s.m").write_text("x = 1;\n")
    report = tmp_path / "r.json"
    done = _fuselab(
        "-m", "app", "run", "--restricted", "--report", str(report), str(tmp_path / "s.m")
    )
    assert done.returncode == 0, done.stderr
    assert '"status": "ok"' in report.read_text()


@linux
def test_what_lies_elsewhere_is_refused_with_the_reason(tmp_path: Path) -> None:
    """Not as permissions that are missing, and no path is set that leads to nothing."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "more.txt").write_text("1\n")
    tries = ("addpath('..')", "fileread('../more.txt')", "dir('..')", "readmatrix('../more.txt')")
    lines = [f"try, {code}; catch e, disp(e.identifier), end\n" for code in tries]
    (inside / "s.m").write_text("".join(lines))
    done = _fuselab("-m", "app", "run", "--restricted", str(inside / "s.m"))
    assert done.stdout.split() == ["Fuselab:restricted"] * len(tries), done.stderr


@linux
def test_a_script_may_come_through_a_pipe_and_no_other_open_file_does(tmp_path: Path) -> None:
    """As `fuselab run --restricted <(…)` of a shell; the pipe is left open, as others may be."""
    reading, writing = os.pipe()
    os.write(writing, b"disp(6 * 7)\n")
    os.close(writing)
    kept = tmp_path / "kept.txt"
    number = os.open(kept, os.O_RDWR | os.O_CREAT, 0o600)
    code = (
        "import os, sys; from app import sandbox; from pathlib import Path\n"
        f"sandbox.enter([], Path({str(tmp_path)!r}))\n"
        f"print(os.read({reading}, 99).decode())\nos.write({number}, b'x')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        pass_fds=(reading, number),
    )
    assert done.stdout.strip() == "disp(6 * 7)", done.stderr
    assert "Bad file descriptor" in done.stderr
    assert kept.read_bytes() == b""
    os.close(reading)
    os.close(number)


@linux
@pytest.mark.parametrize("limit", ["1", str(1 << 28)])
def test_the_limit_of_memory_is_told_in_a_restricted_run(tmp_path: Path, limit: str) -> None:
    """The system's counts of a process cannot be opened there; a full memory ended the program."""
    script = "c = {}; while true, c{end + 1} = rand(1, 5000); end"
    (tmp_path / "s.m").write_text(script)
    done = _fuselab(
        *("-m", "app", "run", "--restricted", str(tmp_path / "s.m")), FUSELAB_MEMORY_LIMIT=limit
    )
    assert done.returncode == 1, done.stderr
    assert "MATLAB:nomem" in done.stderr
    if "not protected" not in done.stderr:
        assert "the program holds 0.00 GB" not in done.stderr
