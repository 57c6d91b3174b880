"""Display, OutputFcn and PlotFcns of the solvers: called, obeyed, or refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

SOLVERS = {
    "fminsearch": "@(x) sum((x - 3).^2), [0 0], o",
    "fminunc": "@(x) sum((x - 3).^4), [0 0], o",
    "fzero": "@(x) x^3 - 2, [0 5], o",
    "fminbnd": "@(x) (x - 2)^4, 0, 5, o",
    "fsolve": "@(x) [x(1)^3 - 8; x(2) - x(1)], [1; 1], o",
    "lsqnonlin": "@(x) [x(1)^3 - 8, x(2) - x(1)], [1 1], [], [], o",
    "lsqcurvefit": "@(p, t) exp(p*t), 0.1, 1:3, exp(1:3), [], [], o",
    "fmincon": "@(x) sum((x - 3).^4), [0 0], [1 1], 4, [], [], [], [], [], o",
}
LACKING = {
    "linprog": "-1, 1, 5, [], [], [], [], o",
    "intlinprog": "-1, 1, 1, 5, [], [], [], [], [], o",
    "quadprog": "1, -3, [], [], [], [], [], [], [], o",
    "lsqlin": "1, 3, [], [], [], [], [], [], [], o",
    "lsqnonneg": "1, 3, o",
    "ga": "@(x) x^2, 1, [], [], [], [], [], [], [], o",
    "particleswarm": "@(x) x^2, 1, [], [], o",
    "simulannealbnd": "@(x) x^2, 1, -2, 2, o",
    "patternsearch": "@(x) x^2, 1, [], [], [], [], [], [], [], o",
    "fminimax": "@(x) [x^2; (x - 2)^2], 0.3, [], [], [], [], [], [], [], o",
}
SEEN = "o = optimset('OutputFcn', @watch);"
WATCH = """
function stop = watch(x, values, state)
global states sizes
states{end + 1} = state;
sizes(end + 1) = numel(x) + 100*isfield(values, 'iteration');
stop = sum(strcmp(states, 'iter')) >= 2;
end
"""


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_output_function_ends_the_run(solver: str, tmp_path: Path) -> None:
    (tmp_path / "watch.m").write_text(WATCH)
    session = Session()
    flag = "~, flag" if solver not in ("lsqnonlin", "lsqcurvefit") else "~, ~, flag"
    session.run(f"addpath('{tmp_path}'); global states sizes; states = {{}}; sizes = [];")
    session.run(f"{SEEN} [x, {flag}] = {solver}({SOLVERS[solver]});")
    assert session.holds("flag == -1 && isequal(states, {'init', 'iter', 'iter', 'done'})")
    assert session.holds("all(sizes == 100 + numel(x))")


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_plot_functions_draw_each_in_axes_of_its_own(solver: str, tmp_path: Path) -> None:
    (tmp_path / "watch.m").write_text(WATCH)
    session = Session()
    flag = "~, flag" if solver not in ("lsqnonlin", "lsqcurvefit") else "~, ~, flag"
    session.run(f"addpath('{tmp_path}'); global states sizes; states = {{}}; sizes = [];")
    functions = "{@optimplotx, @optimplotfval, 'optimplotfunccount', @watch}"
    session.run(f"close all; o = optimset('PlotFcns', {functions}, 'Display', 'off');")
    session.run(f"[x, {flag}] = {solver}({SOLVERS[solver]});")
    assert session.holds("flag == -1 && isequal(states, {'init', 'iter', 'iter', 'done'})")
    assert session.holds("numel(findobj(gcf, 'Type', 'axes')) == 4")
    assert session.holds("numel(findobj(gcf, 'Type', 'bar')) == 1")
    points = "arrayfun(@(l) numel(l.XData), findobj(gcf, 'Type', 'line'))"
    assert session.holds(f"isequal(unique({points}), 3)")
    session.run("close all")


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_iterations_are_shown_and_change_no_result(solver: str) -> None:
    session = Session()
    call = f"{solver}({SOLVERS[solver]});"
    assert session.run(f"o = optimset('Display', 'off'); x = {call}") == ""
    assert "Func-count" in session.run(f"o = optimset('Display', 'iter'); y = {call}")
    assert session.holds("norm(x - y) < 1e-2")


@pytest.mark.parametrize("solver", sorted(LACKING))
def test_options_without_effect_are_refused_by_name(solver: str) -> None:
    for options, named in (
        ("optimset('OutputFcn', @(varargin) true)", "OutputFcn"),
        ("optimset('PlotFcns', @(varargin) true)", "PlotFcns"),
    ):
        with pytest.raises(MatlabError, match=named):
            Session().run(f"o = {options}; x = {solver}({LACKING[solver]});")


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_the_limit_of_iterations_ends_the_run(solver: str) -> None:
    session = Session()
    flag = "~, flag" if solver not in ("lsqnonlin", "lsqcurvefit") else "~, ~, flag"
    shown = session.run(f"o = optimset('MaxIter', 2); [x, {flag}] = {solver}({SOLVERS[solver]});")
    assert session.holds("flag == 0")
    assert "StopIteration" not in shown


def test_wrong_level_of_display_is_refused() -> None:
    with pytest.raises(MatlabError, match="Display"):
        Session().run("fzero(@cos, 1, optimset('Display', 'loud'));")


@pytest.mark.parametrize(
    "call",
    [
        "ode45(@(t, y) -y, [0 1], 1, odeset('NormControl', 'on'))",
        "ode15i(@(t, y, p) p + y, [0 1], 1, -1, odeset('Events', @(t, y) 1))",
    ],
)
def test_options_of_differential_equations_are_refused_by_name(call: str) -> None:
    with pytest.raises(MatlabError, match=r"NormControl|Events"):
        Session().run(f"x = {call};")


@pytest.mark.parametrize(
    ("options", "outputs"),
    [
        ("optimset('Jacobian', []", 1),
        ("optimset('Jacobian', 'off'", 1),
        ("optimset('Jacobian', 'on'", 2),
        ('optimset("Jacobian", "on"', 2),
        ("optimoptions('lsqnonlin', 'SpecifyObjectiveGradient', true", 2),
    ],
)
def test_a_jacobian_is_taken_where_it_is_promised(
    options: str, outputs: int, tmp_path: Path
) -> None:
    (tmp_path / "apart.m").write_text(
        "function varargout = apart(x)\nglobal most\nmost = max(most, nargout);\n"
        "varargout = {[x(1) - 1; 2 * (x(2) - 3)], [1 0; 0 2]}; varargout = varargout(1:nargout);\nend\n"
    )
    session = Session()
    session.run(f"addpath('{tmp_path}'); global most, most = 0;")
    session.run(f"x = lsqnonlin(@apart, [0 0], [], [], {options}, 'Display', 'off'));")
    assert session.holds(f"norm(x - [1 3]) < 1e-6 && most == {outputs}")
