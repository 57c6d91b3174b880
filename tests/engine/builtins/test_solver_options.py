"""Options that ``optimoptions`` makes, and what the solvers tell of their runs."""

from __future__ import annotations

import pytest

from app.engine.builtins.calculus.solver_option_names import OLDER_NAMES, SOLVERS
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_option_has_a_value_that_can_be_set_again(session: Session, solver: str) -> None:
    session.run(f"o = optimoptions('{solver}'); p = o; n = properties(o);")
    session.run("for k = 1:numel(n), p.(n{k}) = o.(n{k}); end")
    assert session.holds("isequal(o, p) && numel(n) > 5 && ~isstruct(o)")
    assert session.holds("isa(o, 'optim.options.SolverOptions') && isequal(optimoptions(o), o)")
    for algorithm in SOLVERS[solver].algorithms:
        session.run(f"p = optimoptions(@{solver}, 'algorithm', '{algorithm.upper()}');")
        shown = session.run("p")
        assert f"Options used by current Algorithm ('{algorithm}'):" in shown
        for name in SOLVERS[solver].defaults(algorithm):
            assert f" {name}: " in shown


@pytest.mark.parametrize("older", OLDER_NAMES)
def test_older_names_stand_for_the_newer_ones(session: Session, older: str) -> None:
    for solver, facts in SOLVERS.items():
        newer = [n for n in OLDER_NAMES[older] if n in facts.names()]
        if newer:
            session.run(f"o = optimoptions('{solver}'); v = o.{newer[0]}; o.{older} = v;")
            assert session.holds(f"isequal(o.{older}, v) && isequal(o.{newer[0]}, v)")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("optimoptions('fsolve', 'Rubbish', 3)", "'Rubbish' is not an option for FSOLVE."),
        ("optimoptions('fminsearch')", "Invalid solver specified."),
        ("optimoptions(@(x) x)", "Invalid solver specified."),
        ("optimoptions('fsolve', 'Display')", "pairs"),
        ("optimoptions('fsolve', 'Display', 'loud')", "parameter Display: must be 'off', "),
        ("optimoptions('ga', 'MaxGenerations', 'x')", "MaxGenerations: must be a real scalar"),
        ("optimoptions('fmincon', 'StepTolerance', 2i)", "StepTolerance: must be a real scalar"),
        ("optimoptions('fmincon', 'GradObj', 3)", "must be true or false"),
        ("optimoptions('fmincon', 'Algorithm', 'loud')", "must be 'interior-point', "),
        ("optimoptions('fmincon', 'Max', 3)", "write the name whole"),
        ("optimoptions('fmincon', 'OutputFcn', 3)", "must be a function handle"),
        ("o = optimoptions('ga'); o.Rubbish", "'Rubbish' for class 'optim.options.GaOptions'"),
        ("o = optimoptions('ga'); o.Rubbish = 1", "'Rubbish' for class"),
    ],
)
def test_wrong_options_are_named(session: Session, call: str, said: str) -> None:
    with pytest.raises(MatlabError, match=said.replace("(", r"\(")):
        session.run(f"{call};")


@pytest.mark.parametrize(
    "text",
    [
        "abs(fmincon(@(x) (x - 1)^2, 0, [], [], [], [], [], [], [], optimoptions('fmincon', "
        "'Display', 'off', 'Diagnostics', 'off')) - 1) < 1e-5",
        "strcmp(optimoptions('fsolve', 'Diagnostics', 'off').Diagnostics, 'off')",
        "numel(nthargout(4, @() fmincon(@(x) x*x, 9, 1, 8, [], [], [], [], [], o))) == 1",
        "isequal(nthargout(3, @() fmincon(@(x) x(1)^4 + x(2)^2, [9 9], [], [], [], [], [], [], "
        "[], optimoptions('fmincon', 'MaxIterations', 1, 'Display', 'off'))), 0)",
        'isempty(evalc(\'x = fsolve(@(x) x^2 - 4, 1, optimoptions("fsolve", Display="none"));\'))',
        "optimget(optimoptions('fsolve', 'MaxIterations', 5), 'MaxIter') == 5",
        "isequal(optimoptions('fminunc', o), optimoptions('fminunc', 'Display', 'off'))",
        "abs(lsqlin(2, 4, [], [], [], [], [], [], [], optimoptions('lsqlin')) - 2) < 1e-6",
        "isequal(fminunc(struct('objective', @(x) (x - 1)^2, 'x0', 1, 'solver', 'fminunc', "
        "'options', optimoptions('fminunc', o))), 1)",
    ],
)
def test_solvers_take_them(session: Session, text: str) -> None:
    session.run("o = optimoptions('fmincon', 'Display', 'off');")
    assert session.holds(text)


FIELDS = {
    "fmincon(@(x) sum((x - 1).^2), [3 4], [1 1], 1)": (
        4,
        "iterations funcCount constrviolation stepsize algorithm firstorderopt cgiterations "
        "message bestfeasible",
    ),
    "fminunc(@(x) sum((x - 1).^2), [3 4])": (
        4,
        "iterations funcCount stepsize firstorderopt algorithm message",
    ),
    "fsolve(@(x) x.^2 - [4 9], [1 1])": (
        4,
        "iterations funcCount algorithm firstorderopt message",
    ),
    "fsolve(@(x) x.^2 - [4 9], [1 1], optimset('Display', 'iter'))": (
        4,
        "iterations funcCount algorithm firstorderopt message",
    ),
    "lsqnonlin(@(x) x.^2 - [4 9], [1 1])": (
        5,
        "firstorderopt iterations funcCount cgiterations algorithm stepsize message "
        "bestfeasible constrviolation",
    ),
    "linprog([1; 1], [-1 -2], -1, [], [], [0 0])": (
        4,
        "iterations constrviolation message algorithm firstorderopt",
    ),
    "quadprog(eye(2), [1; 1], [-1 -1], -1)": (
        4,
        "message algorithm firstorderopt constrviolation iterations linearsolver cgiterations",
    ),
}


@pytest.mark.parametrize("call", FIELDS)
def test_outputs_have_the_documented_fields_and_measure(session: Session, call: str) -> None:
    place, names = FIELDS[call]
    listed = ", ".join(f"'{n}'" for n in names.split())
    session.run(f"s = nthargout({place}, @() {call});")
    assert session.holds(f"isequal(fieldnames(s), {{{listed}}}')")
    assert session.holds("s.firstorderopt >= 0 && s.firstorderopt < 1e-4")
    for name in ("iterations", "funcCount"):
        if name in names.split() and "prog(" not in call:
            assert session.holds(f"s.{name} > 0 && s.{name} == round(s.{name})")
    if "stepsize" in names.split():
        assert session.holds("s.stepsize > 0 && s.stepsize < 5")
    if "constrviolation" in names.split() and "lsq" not in call:
        assert session.holds("s.constrviolation >= 0 && s.constrviolation < 1e-8")


def test_multipliers_have_every_kind_of_constraint(session: Session) -> None:
    session.run("l = nthargout(5, @() fmincon(@(x) x*x, 3, [], [], [], [], 1));")
    assert session.holds(
        "isequal(fieldnames(l), {'eqlin', 'eqnonlin', 'ineqlin', 'lower', 'upper', 'ineqnonlin'}')"
    )
    session.run("l = nthargout(5, @() quadprog(1, -3, 1, 1));")
    assert session.holds("isequal(fieldnames(l), {'ineqlin', 'eqlin', 'lower', 'upper'}')")


def test_an_infeasible_point_breaks_its_constraint(session: Session) -> None:
    session.run(
        "[x, v, e, s] = fmincon(@(x) x, 0, [], [], [], [], 2, 3, @(x) deal(x^2 + 1, []), "
        "optimoptions('fmincon', 'Display', 'off'));"
    )
    assert session.holds("e == -2 && s.constrviolation > 4 && isempty(s.bestfeasible)")
