"""Large matrices on a device: factors, solutions, inverses and determinants are the host's."""

from __future__ import annotations

from typing import Any

import pytest

from app import settings
from app.accel.providers.wgpu import adapters
from app.engine.builtins.forms import factorisations
from app.engine.session import Session
from app.source import SourceText

SCRIPT = """
n = 70; A = sin((1:n)' * (1:n) * 0.7) + {shift} * eye(n); A = {kind}(A); b = A * (1:n)';
x = A \\ b; X = inv(A); d = det(A / 3); [L, U, P] = lu(A); R = chol(A' * A); C = chol(A' * A, 'lower');
e = [max(abs(x - (1:n)')), max(max(abs(X * A - eye(n)))), max(max(abs(L * U - P * A))), ...
     max(max(abs(R' * R - A' * A))), max(max(abs(C * C' - A' * A)))];
fprintf('%g ', e); fprintf('%.6g', d);
"""


class Collected:
    """What a session wrote and complained of."""

    def __init__(self) -> None:
        self.text, self.errors = "", list[str]()

    def __call__(self, event: Any) -> None:
        self.text += getattr(event, "text", "") or ""
        if type(event).__name__ == "ErrorRaised":
            self.errors.append(event.message)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small matrices, and processors that pass for graphics cards."""
    if not adapters():
        pytest.skip("no adapter")
    monkeypatch.setattr(factorisations, "LEAST", 8)
    monkeypatch.setattr(factorisations, "PROCESSORS", frozenset())



def run(code: str, device: str) -> tuple[str, Any]:
    seen = Collected()
    session = Session(settings.load({"FUSELAB_DEVICE": device}), seen)
    try:
        session.run_source(SourceText("factors.m", code))
        assert not seen.errors
        return seen.text, session.last_report
    finally:
        session.close()


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-9), ("single", 2e-2)])
def test_answers_are_the_hosts(small: None, kind: str, most: float) -> None:
    code = SCRIPT.format(kind=kind, shift=3)
    found, report = run(code, "gpu")
    expected, _ = run(code, "cpu")
    *errors, ours = (float(v) for v in found.split())
    theirs = float(expected.split()[-1])
    assert max(errors) < most
    assert abs(ours - theirs) <= 1e-3 * abs(theirs)
    ran = {op for group in report["groups"] if group["provider"] == "wgpu" for op in group["ops"]}
    assert {"lu", "lu_solve", "cholesky"} <= ran


@pytest.mark.parametrize("code", [
    "A = magic(40); x = A \\ ones(40, 1);", "A = zeros(40); A(1) = 1; x = inv(A);",
    "A = hilb(40); x = A \\ ones(40, 1);",
])  # fmt: skip
def test_singular_matrices_warn_as_on_the_host(small: None, code: str) -> None:
    ours, theirs = run(code, "gpu")[0], run(code, "cpu")[0]
    assert "singular" in ours
    assert ours.split("RCOND")[0] == theirs.split("RCOND")[0]


def test_what_is_not_definite_is_an_error(small: None) -> None:
    code = "[R, flag] = chol(-eye(40)); disp(flag); try, chol(-eye(40)); catch e, disp(e.identifier); end"
    assert run(code, "gpu")[0].split() == ["1", "MATLAB:posdef"]
