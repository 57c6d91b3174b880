"""Small matrices whose numbers are on a device are solved there; what MATLAB warns of is told."""

from __future__ import annotations

from typing import Any

import pytest

from app import settings
from app.accel.backends.wgpu import adapters
from app.engine.operators import factorisation_forms
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

DATA = "X = sin((1:4000)' * (1:{n})); S = {kind}(X' * X); b = {kind}(X' * sum(X, 2));\n"
USES = (
    "r = [norm(S \\ b - 1), norm(b' / S - 1), norm(inv(S) * S - eye({n})), "
    "abs(det(S / 2000) - det(gather(S) / 2000)), norm((eye({n}) * 3) \\ b - b / 3)];\n"
    "fprintf('%d', r < {most}); fprintf(' %s', class(S \\ b), class(inv(S)), class(det(S)));"
)


class Collected:
    """What a session wrote and complained of."""

    def __init__(self) -> None:
        self.text = ""

    def __call__(self, event: Any) -> None:
        self.text += getattr(event, "text", "") or ""
        if type(event).__name__ == "ErrorRaised":
            self.text += f"Error: {event.message}\n"


@pytest.fixture(autouse=True)
def _card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processors that pass for graphics cards."""
    require_adapter(adapters())
    monkeypatch.setattr(factorisation_forms, "PROCESSORS", frozenset())


def run(code: str, device: str, octave: str = "0") -> tuple[str, dict[str, Any]]:
    seen = Collected()
    chosen = {"FUSELAB_DEVICE": device, "FUSELAB_OCTAVE": octave}
    session = Session(settings.load(chosen), seen)
    try:
        session.run_source(SourceText("systems.m", code))
        return seen.text, session.last_report
    finally:
        session.close()


def kernels(report: dict[str, Any], op: str = "equations") -> int:
    """How many systems the device solved."""
    rows = [g for g in report["groups"] if op in g["ops"]]
    return sum(g["executions"] for g in rows if g["provider"] == "wgpu")


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-10), ("single", 1e-3)])
@pytest.mark.parametrize("n", [2, 3, 17, 32])
def test_answers(kind: str, most: float, n: int) -> None:
    code = (DATA + USES).format(kind=kind, n=n, most=most)
    text, report = run(code, "gpu")
    assert text == f"11111 {kind} {kind} {kind}"
    assert kernels(report) >= 4
    assert run(code, "cpu")[0] == text


@pytest.mark.parametrize("n", [1, 33])
def test_other_sizes_are_solved_elsewhere(n: int) -> None:
    code = DATA + "disp(norm(S \\ b - 1) < 1e-10), disp(norm(inv(S) * S - eye({n})) < 1e-10)"
    text, report = run(code.format(kind="double", n=n), "gpu")
    assert text.split() == ["1", "1"]
    assert not kernels(report)


SINGULAR = {
    "zero": "S * 0",
    "unknown": "S * NaN",
    "nearly": "S * [1 0 1; 0 1 0; 0 0 0]",
    "scaled": "diag([1 1e-30 1]) * S",
}


def _line(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


@pytest.mark.parametrize("matrix", list(SINGULAR.values()), ids=list(SINGULAR))
@pytest.mark.parametrize("use", ["A \\ b", "b' / A", "inv(A)"])
def test_singular_matrices_warn_once_each(matrix: str, use: str) -> None:
    code = (
        DATA.format(kind="double", n=3)
        + f"A = {matrix};\nx = {use};\nfprintf('\\nNaN: %s\\n', mat2str(isnan(x)));"
    )
    found, report = run(code, "gpu")
    assert kernels(report)
    assert found.count("Warning: Matrix is") == 1
    assert "> In systems (line 3)" in found
    known = run(code, "cpu")[0]
    assert known.count("Warning: Matrix is") == 1
    assert _line(found, "NaN:") == _line(known, "NaN:")


WARNED = "Warning: Matrix is singular to working precision."
IN_TIME = {
    "x = A \\ b; [~, id] = lastwarn; disp(id)": [WARNED, "MATLAB:singularMatrix"],
    "warning('off', 'MATLAB:singularMatrix'); x = A \\ b; warning('on', 'all');": [],
    "warning('error', 'MATLAB:singularMatrix'); try, x = A \\ b; catch e, disp(e.identifier), end": [
        "MATLAB:singularMatrix"
    ],
    "t = evalc('x = A \\ b;'); disp(t(1:15))": ["Warning: Matrix"],
    "x = A \\ b; warning('my:id', 'Later.');": [WARNED, "Warning: Later."],
    "x = A \\ b; error('stop')": [WARNED, "Error: stop"],
    "for k = 1:200, x = A \\ b; end": [WARNED] * 200,
}


@pytest.mark.parametrize("code", list(IN_TIME))
def test_warnings_are_in_time(code: str) -> None:
    found = run(DATA.format(kind="double", n=3) + "A = S * 0;\n" + code, "gpu")[0]
    assert [line for line in found.splitlines() if not line.startswith("> In")] == IN_TIME[code]


def test_octave_gives_the_solution_of_least_norm() -> None:
    code = DATA.format(kind="double", n=3) + "P = [1 0 1; 0 1 0];\n"
    code += "A = P' * (round(S(1:2, 1:2) / 1000) * P);\n"  # whose rank no rounding changes
    code += "x = A \\ b; printf('%d', abs(x(1) - x(3)) < 1e-9)"
    assert run(code, "gpu", octave="1")[0].endswith("1")


LOOP = r"""
x = zeros({n}, 1); total = 0; y = cos((1:4000)');
for k = 1:12
    A = S + k * eye({n}){more};
    x = x + A \ (X' * (y - X * x)); d = inv(A); total = total + log(det(A)) + sum(d(:));
end
fprintf('\nSum: %.9g %.9g\n', sum(x), total);
"""


def test_a_loop_of_solutions_is_traced() -> None:
    code = (DATA + LOOP).format(kind="double", n=9, more="")
    found, report = run(code, "gpu")
    assert found == run(code, "cpu")[0]
    assert kernels(report) >= 20
    assert report["counters"]["downloads"] < 12


def test_a_loop_that_meets_a_singular_matrix_warns_there() -> None:
    code = (DATA + LOOP).format(kind="double", n=9, more=" - (k == 9) * (S + k * eye(9))")
    found, known = run(code, "gpu")[0], run(code, "cpu")[0]
    assert found.count("Warning: Matrix is singular") == known.count("Warning: Matrix is singular")
    assert _line(found, "Sum:") == _line(known, "Sum:")


def test_what_turns_out_complex() -> None:
    code = "X = sqrt(sin((1:4000)' * (1:3))); S = X.' * X; b = S(:, 1) * 2;\n"
    code += "e = norm(S \\ b - [2; 0; 0]) + norm(inv(S) * S - eye(3));\n"
    code += "fprintf('%d %d', e < 1e-10, isreal(det(S)))"
    assert run(code, "gpu")[0] == run(code, "cpu")[0] == "1 0"


FIT = (
    "t = {kind}(sin((1:{rows})' * 1.3)); A = t .^ (0:{more}); b = cos(t * (1:{sides}));\n"
    "x = A \\ b; y = gather(A) \\ gather(b); e = norm(x - y) / norm(y);\n"
    "fprintf('%d %s %d %d', e < {most}, class(x), size(x));"
)


@pytest.mark.parametrize(("kind", "most"), [("double", 1e-9), ("single", 1e-2)])
@pytest.mark.parametrize(
    ("rows", "columns", "sides"), [(2000, 1, 1), (3000, 4, 1), (70_000, 4, 4), (9000, 7, 2)]
)
def test_fits_of_few_columns(kind: str, most: float, rows: int, columns: int, sides: int) -> None:
    columns = min(columns, 4) if kind == "single" else columns
    shown = {"kind": kind, "most": most, "rows": rows, "more": columns - 1, "sides": sides}
    text, report = run(FIT.format(**shown), "gpu")
    assert text == f"1 {kind} {columns} {sides}"
    assert kernels(report, "least_squares") == 1


@pytest.mark.parametrize("matrix", ["[t t t .^ 2]", "[t * 0 t]", "[t t * NaN]", "[t t / 0]"])
def test_dependent_columns_warn_once(matrix: str) -> None:
    code = f"t = sin((1:5000)' * 1.3); A = {matrix}; x = A \\ t.^3; "
    code += "fprintf('x: %s\\n', mat2str(x', 6));"
    (found, report), known = run(code, "gpu"), run(code, "cpu")[0]
    assert kernels(report, "least_squares") == 1
    assert _line(found, "Warning: Rank deficient") == _line(known, "Warning: Rank deficient")
    assert _line(found, "x:") == _line(known, "x:")


def test_octave_gives_the_fit_of_least_norm() -> None:
    code = "t = sin((1:5000)' * 1.3); x = [t t] \\ (t * 4); printf('%d', abs(x - 2) < 1e-9)"
    assert run(code, "gpu", octave="1")[0].endswith("11")


def test_fits_of_what_masks_select_fetch_their_counts_alone() -> None:
    code = """
n = 5000; x = sin((1:n)' * 1.3); y = cos(x * 3); s = 0;
for k = 1:9
    m = x > k / 20; A = [ones(nnz(m), 1) x(m) x(m).^2]; c = A \\ y(m); y(m) = y(m) - A * c / 2;
end
fprintf('%.9g', sum(y));
"""
    text, report = run(code, "gpu")
    assert text == run(code, "cpu")[0]
    assert kernels(report, "least_squares") == 9
    assert report["counters"]["downloads"] <= 9 * 2 + 3


def test_late_warnings_name_their_places() -> None:
    code = DATA.format(kind="double", n=3) + "A = S * 0;\nx = A \\ b;\n\ny = A \\ b; z = inv(A);"
    found = run(code, "gpu")[0]
    places = [line for line in found.splitlines() if line.startswith("> In")]
    assert places == [f"> In systems (line {line})" for line in (3, 5, 5)]
