"""Random numbers in machine code are the stream's own, and no statement that draws is left."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from app.engine.jit.jit_statements import Exit
from app.engine.jit.loop_version import Version
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "one normal": "x = zeros(1,50); for k=1:50, x(k) = randn; end",
    "a point": "s = 0; for k=1:50, p = rand(1,2); s = s + (p(1)^2+p(2)^2 < 1) + rand; end",
    "a direction": "s = 0; for k=1:50, p = randn(3,1); s = s + p'*p; end",
    "matrices and pages": "s = 0; for k=1:50, p = randn(3); q = rand(2,3,2); s = s + p(2,3) + q(end); end",
    "whole numbers": """
s = 0; for k=1:50, s = s + randi([1 6]) + randi(k); p = randi([-2 k],1,3); r = randi(9,2); s = s + sum(p) + r(2,2); end
""",
    "a chain of Metropolis": """
x = 0; for k=1:200, y = x + 0.5*randn; if rand < exp(-(y^2-x^2)/2), x = y; end, end
""",
    "none and more": "s = 0; for k=1:9, p = rand(1,k-1); s = s + sum([p 1])*randn(1,1) + rand; end",
    "in a function": """
s = 0; for k=1:20, s = s + f(k); end
function y = f(k)
 p = randn(1,2); y = randn*k + p(2);
end
""",
    "passes of a parfor": "s = 0; parfor k=1:20, p = randn(1,2); s = s + p(1)*rand; end",
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_draws_stay_in_machine_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    exit_at = Version.exit_at

    def recorded(version: Version, site: int) -> Exit:
        said.append(site)
        return exit_at(version, site)

    monkeypatch.setattr(Version, "exit_at", recorded)
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: said.append(text))
    compare(PROGRAMS[name] + "\n", 1)
    assert not said


@pytest.mark.parametrize(
    "program",
    [
        "s = 0; try, for k=5:-1:-2, s = s + randi(k); end, catch e, m = e.message; end",
        "s = 0; try, for k=1:3, s = s + randi([k 2]); end, catch e, m = e.message; end",
        "rng(3, 'twister'); s = 0; for k=1:20, s = s + randn + rand(1,2)*[1;2]; end",
        "s = single(0); for k=1:20, s = s + rand(1,1,'single'); end",
    ],
)
def test_other_draws_are_the_interpreters(program: str) -> None:
    compare(program + "\n", 1)
