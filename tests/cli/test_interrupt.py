"""Control-C wherever a script can be: in a wait, in a long call of a library, at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READY = "fprintf('ready\\n'); "


def pressed(
    code: str, times: int = 1, before: str = "", after: float = 0.3
) -> tuple[int, str, str]:
    """Run ``code``, press Control-C some time after it begins; exit code, output, errors."""
    with subprocess.Popen(
        [sys.executable, "-m", "app", "eval", before + READY + code],
        cwd=ROOT,
        env=dict(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for _ in range(times):
            time.sleep(after)
            process.send_signal(signal.SIGINT)
        code_ = process.wait(timeout=120)
        assert process.stderr is not None
        return code_, process.stdout.read(), process.stderr.read()


@pytest.mark.parametrize(
    "code",
    ["x = input('');", "keyboard", "system('sleep 60');", "try, input(''); catch, disp(1), end"],
)
def test_waiting_for_the_system_is_interrupted(code: str) -> None:
    exit_code, out, err = pressed(code)
    assert (exit_code, out.replace("K>> ", ""), err) == (130, "", "")


@pytest.mark.parametrize("after", [0.0, 0.0005, 0.002])
@pytest.mark.parametrize("code", ["x = input('');", "system('sleep 60');"])
def test_a_press_just_before_waiting_for_the_system_is_not_lost(code: str, after: float) -> None:
    exit_code, _, err = pressed(code, after=after)
    assert (exit_code, err) == (130, "")


def test_cleanup_tasks_of_a_script_run_after_an_interrupt() -> None:
    code = "c = onCleanup(@() fprintf('tidy\\n')); while true, end"
    assert pressed(code) == (130, "tidy\n", "")


def test_the_second_press_ends_a_long_library_call() -> None:
    code, _, err = pressed("x = svd(A);", times=2, before="A = rand(4000); ")
    assert code == 130
    assert err in {"", "fuselab: interrupted\n", "fuselab: ended at the second Control-C\n"}


def test_cleanup_tasks_of_a_failing_script_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "eval", "c = onCleanup(@() disp(55)); error('a:b', 'no')"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "    55\n")
    assert "ImportError" not in done.stderr


IN_A_FUNCTION = """
f()
function f
c = onCleanup(@() disp('outer'));
g({onCleanup(@() disp('in a cell'))})
end
function g(~)
c = onCleanup(@() disp('inner'));
while true, end
end
"""


def test_cleanup_tasks_of_functions_run_after_an_interrupt() -> None:
    code, out, err = pressed(IN_A_FUNCTION)
    assert (code, err) == (130, "")
    assert set(out.split("\n")) == {"inner", "in a cell", "outer", ""}
    assert out.index("inner") < out.index("outer")


def test_a_stop_in_a_cleanup_task_ends_what_called_the_function() -> None:
    code = "f(); pause(10), disp('after')\nfunction f\nc = onCleanup(@() pause(60));\nend"
    assert pressed(code) == (130, "", "")
