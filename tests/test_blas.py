"""Threads of the linear algebra libraries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import blas

SHOW = """
import os
os.sched_getaffinity = lambda process: {0, 1}
from app import blas
blas.begin()
import numpy as np
from scipy import linalg
asked = []
blas._free_cores = lambda: blas._State.most
real = blas._set_threads
blas._set_threads = lambda counts: (asked.append(max(counts.values())), real(counts))
with blas.spread(blas.LARGE / 2):
    pass
with blas.spread(blas.LARGE):
    a = np.ones((300, 300)) + np.eye(300)
    assert np.allclose(a @ linalg.inv(a), np.eye(300))
print(asked, blas.environment_of_children().get(blas.VARIABLE))
"""


def shown(number: str, variable: str = blas.VARIABLE) -> str:
    """What a fresh process with two cores, both free, does with this setting of the variable."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        text=True,
        check=True,
        env={**blas.environment_of_children(), blas.VARIABLE: "", variable: number},
    )
    return done.stdout.strip()


def test_only_large_work_asks_for_threads_and_gives_them_back() -> None:
    assert shown("") == "[2, 1] None"


def test_the_users_number_is_the_most() -> None:
    assert shown("1") == "[] 1"
    assert shown("2") == "[2, 1] 2"
    assert shown("2", "OMP_NUM_THREADS") == "[2, 1] None"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    made: list[int] = []
    monkeypatch.setattr(blas, "_threads", lambda: {"numpy": 1})
    monkeypatch.setattr(blas, "_set_threads", lambda counts: made.append(counts["numpy"]))
    monkeypatch.setattr(blas._State, "ours", True)
    monkeypatch.setattr(blas._State, "most", 4)
    return made


def test_busy_cores_are_left_alone(asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_free_cores", lambda: 1)
    with blas.spread(1e12):
        assert asked == []
    monkeypatch.setattr(blas, "_free_cores", lambda: 3)
    with blas.spread(1e12):
        assert asked == [3]
    assert asked == [3, 1]


def test_threads_are_given_back_after_an_error(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blas, "_free_cores", lambda: 2)
    with pytest.raises(ValueError, match="no"), blas.spread(1e12):
        raise ValueError("no")
    assert asked == [2, 1]


def test_both_libraries_are_found() -> None:
    import numpy as np
    from scipy import linalg

    assert np.__version__
    assert linalg
    assert all(blas._functions(name) is not None for name in ("numpy", "scipy"))


LOADED_BEFORE = """
import numpy as np
from threadpoolctl_like import threads, choose
choose(3)
import app as fuselab
with fuselab.Session(device="cpu") as s, fuselab.Session(device="cpu") as other:
    inside = []
    s.listen(lambda event: inside.append(threads()))
    s["a"] = np.eye(400)
    s.eval("b = inv(a); c = a*a;")
    after = threads()
    choose(2)
    other.eval("b = inv(eye(400)*2);")
print(min(inside), after, threads())
"""


def test_a_program_keeps_the_threads_that_it_chose(tmp_path: Path) -> None:
    """NumPy was loaded with threads of its own: a session uses one, and gives the number back."""
    helper = tmp_path / "threadpoolctl_like.py"
    helper.write_text(
        "from app import blas\n"
        "def threads(): return blas._functions('numpy')[0]()\n"
        "def choose(count): blas._functions('numpy')[1](count)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", LOADED_BEFORE],
        capture_output=True,
        text=True,
        check=True,
        env={**blas.environment_of_children(), "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
    )
    assert done.stdout.strip() == "1 3 2"


def test_two_that_overlap_end_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"numpy": 4}
    monkeypatch.setattr(blas, "_threads", lambda: dict(now))
    monkeypatch.setattr(blas, "_set_threads", now.update)
    monkeypatch.setattr(blas, "_free_cores", lambda: 3)
    monkeypatch.setattr(blas._State, "most", 8)
    monkeypatch.setattr(blas._State, "ours", False)
    first, second = blas.single_threaded(), blas.spread(1e12)
    with first:
        assert now == {"numpy": 1}
        second.__enter__()
        assert now == {"numpy": 3}
    assert now == {"numpy": 3}
    second.__exit__(None, None, None)
    assert now == {"numpy": 4}
