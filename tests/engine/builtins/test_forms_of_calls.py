"""Forms of calls that scripts of others use: each expression is true."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

_TRUE = (
    "isequal(size(freqz([1 1], 1, [0 1 2])), [1 3]) && isequal(size(freqz([1 1], 1, 3)), [3 1])",
    "isequal(size(xcorr([1 2; 3 4])), [3 4])",
    "isequal(xcorr([1; 2; 3], 1), [8; 14; 8])",
    "isequal(nthargout(2, @findpeaks, [0 3 3 1 2 0]), [2 5])",
    "max(abs(fir1(4, 0.5, 'high', 'noscale') - [0 -0.17188 0.5 -0.17188 0])) < 1e-4",
    "isequal(buffer(1:5, 3, 1, 'nodelay'), [1 3; 2 4; 3 5])",
    "isequal(nthargout(3, @buffer, 1:11, 5, 2, [-1 0]), [8; 9])",
    "isequal(nthargout(3, @buffer, 1:11, 4, -2, 1), 2)",
    "isequal(tf2sos([0 1], [1 -0.5]), [0 1 0 1 -0.5 0])",
    "isequal(sos2tf([1 1 0 1 0.5 0]), [1 1 0])",
    "isequal(impz(1, [1 -0.5], [0 2 4]), [1; 0.25; 0.0625])",
    "numel(decimate(1:100, 4, 'fir')) == 25",
    "isequal(size(nthargout(2, @resample, 1:10, 3, 2)), [1 61])",
    "isequal(size(diag(sparse([]))), [0 0])",
    "norm(fminunc(struct('objective', @(x) sum((x - [1 2]).^2), 'x0', [0 0], 'solver', 'fminunc', "
    "'options', [])) - [1 2]) < 1e-5",
    "norm(linprog(struct('f', [-1; -1], 'Aineq', [1 2; 3 1], 'bineq', [4; 6])) - [1.6; 1.2]) < 1e-8",
    "isempty(histc([], [])) && isempty(histc([1 2], []))",
    "nthargout(2, @quad, @(x) x.^2, 0, 1) > 0",
    "max(get(ezplot(@(x) x*x, [0 1]), 'YData')) == 1",
    "strcmp(get(plot(1:3, 'o '), 'Marker'), 'o')",
    "abs(max(get(ezplot('x^2'), 'YData')) - 4*pi^2) < 1e-9 && isgraphics(ezplot('x^2 + y^2 = 1'))",
    "isequal(size(nthargout(2, @fplot, 'sin(2*pi*x)', [0 1])), [501 1])",
    "abs(max(get(ezplot('2*cos(t)', 'sin(t)'), 'XData')) - 2) < 1e-9",
    "isequal(subsref(magic(3), substruct('()', {sparse([0 1 0; 0 0 1; 0 0 0]) > 0})), [1; 7])",
    "min(nthargout(2, @ode45, @(t, y) -sqrt(abs(y)), [0 4], 1, odeset('NonNegative', 1))) == 0",
    "getfield(getfield(ode45(@(t, y) -y, [0 1], 1), 'stats'), 'nfevals') == 61",
    "max(nthargout(1, 2, @ode45, @(t, y) -y, [0 1], 1, "
    "odeset('OutputFcn', @(t, y, f) numel(t) > 1 && t(end) > 0.5))) < 0.7",
    "max(getfield(ode45(@(t, y) -y, 2, 1), 'x')) == 2",
    "abs(fzero('cos(t) - t', 0) - fzero(@(t) cos(t) - t, 0)) < 1e-12 && fzero('sin', 3) == pi",
    "norm(fminsearch('(x(1) - 1)^2 + x(2)^2', [0 0]) - [1 0]) < 1e-3",
    "abs(quad('x.^2', 0, 1) - 1/3) < 1e-9 && abs(dblquad('x.*y', 0, 1, 0, 2) - 1) < 1e-6",
    "abs(fmincon('(x - 2)^2', 0, 1, 1) - 1) < 1e-6 && abs(fminbnd('x^2 - x', 0, 1) - 0.5) < 1e-6",
    "feval(fcnchk('t^2'), 3) == 9 && isequal(feval(fcnchk('t^2', 'vectorized'), 1:2), [1 4])",
)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("text", _TRUE)
def test_holds(session: Session, text: str) -> None:
    assert session.holds(text)


def test_fprintf_gives_its_count_where_it_is_asked_for(session: Session) -> None:
    printed = session.run("for k = 1:2, n = fprintf('%d\\n', k); fprintf('%d,', n); end")
    assert printed == "1\n2,2\n2,"


def test_an_empty_cell_becomes_a_struct_where_a_field_is_set(session: Session) -> None:
    session.run("p = {}; p.a = 1; q.n = {}; q.n.k = 6; r = {}; r(2).z = 4;")
    assert session.holds("p.a == 1 && q.n.k == 6 && isequal(size(r), [1 2])")
