"""Loops that clear variables or ask whether they exist: as in the interpreter, in machine code."""

from __future__ import annotations

import random

import pytest

from app.engine.jit.loop_version import Version
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "asked_in_the_next_pass": """
s=0; for k=1:40, if exist('x','var'), s=s+x; end, x=k; if mod(k,3)==0, clear x, end, end
there=exist('x','var');
""",
    "an_array": """
y=1:3; s=0;
for k=1:40, if exist('y','var')==1, s=s+y(2); else, y=[k k+1 k+2]; end
 if mod(k,5)==0, clear('y'), end, end
""",
    "had_a_value_before_the_loop": """
w=7; z=[1 2]; for k=1:40, if k>38, clear w z, end, end
there=[exist('w','var') exist('z','var')];
""",
    "read_after_it": """
v=1; s=0; try, for k=1:40, if k>30, clear v, end, s=s+v; end, catch e, m=e.message; end
""",
    "a_counter": """
s=0; for k=1:20, for j=1:5, if exist('j','var')&&exist('u','var'), s=s+u; end, u=j; end
 clear u j
 if exist('j','var'), s=s+1e6; end, end
""",
    "a_counter_without_passes": """
n=0; for i=1:20, for k=1:mod(i,2), clear k, end, n=n+exist('k','var'); end
""",
    "made_again_by_index": """
s=0; for k=1:20, p(3)=k; p(end+1)=1; s=s+sum(p)+numel(p); clear p, end
""",
    "whole_arrays": """
s=0; for k=1:20, a=ones(3,2)*k; b=a'; s=s+a(2,1)+b(1,2); clear a b, end
""",
}
REFUSED = {
    "a_container": "q.a=1; s=0; for k=1:20, if ~exist('q','var'), q.a=k; end, s=s+q.a; clear q, end",
    "a_global": "global g; g=0; for k=1:20, g=g+1; if exist('g','var'), h=g; end, end",
}
_STEPS = (
    "x=k;",
    "x=x+1;",
    "y=[k 2*k];",
    "y(end+1)=k;",
    "y=y*2;",
    "clear x",
    "clear y",
    "clear('x','y');",
    "if exist('x','var'), s=s+x; end",
    "if exist('y','var')==1, s=s+sum(y); end",
    "if ~exist('x','var'), x=-k; elseif x>9, clear x, end",
    "if mod(k,3)==0, clear x, end",
    "for j=1:2, if exist('y','var'), s=s+y(1); end, y=[s j]; if j>1, clear y, end, end",
    "z=exist('x','var')+2*exist('y','var'); s=s+z;",
)


def _program(seed: int) -> str:
    chosen = random.Random(seed)
    before = "".join(t for t in ("x=5;", "y=[1 2 3];") if chosen.random() < 0.5)
    body = "\n".join(chosen.choices(_STEPS, k=chosen.randint(3, 7)))
    return f"s=0;{before}\ntry\nfor k=1:12\n{body}\nend\ncatch e, m=e.message; end"


@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code_clears_and_asks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entered = []
    run = Version.run
    monkeypatch.setattr(Version, "run", lambda *a: (entered.append(name), run(*a))[1])
    compare(PROGRAMS[name])
    assert entered


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_compiled_is_the_interpreters(name: str) -> None:
    compare(REFUSED[name])


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_programs_agree(first: int) -> None:
    for seed in range(first, first + 20):
        compare(_program(seed))
