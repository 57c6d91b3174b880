"""Linear systems: identities that hold of any, and displays."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

PLANT = "s = tf('s'); G = (s + 1) / (s^2 + 2*s + 5); S = ss(G); w = [0.1 1 3 10];"
MIMO = (
    "M = [tf(1, [1 1]) tf([1 2], [1 2 3]); tf(2, [1 5]) tf(1, [1 0.5])]; N = ss(M); w = [0.1 1 3];"
)
LOOP = "A = [0 1 0; 0 0 1; -1 -5 -6]; B = [0; 0; 1]; K = lqr(A, B, eye(3), 2);"
CASES = [
    (
        "s = tf(1, [60 1], 'inputdelay', 80); s.OUTPUTNAME = {'y'};",
        "s.InputDelay == 80 && s.inputDelay == 80 && strcmp(s.OutputName, 'y')",
    ),
    (PLANT, "norm(squeeze(freqresp(G, w) - freqresp(S, w))) < 1e-12"),
    (PLANT, "norm(squeeze(freqresp(zpk(G), w) - freqresp(tf(S), w))) < 1e-9"),
    (
        PLANT + "T = feedback(3*G, 1); U = 3*G / (1 + 3*G);",
        "norm(squeeze(freqresp(T - U, w))) < 1e-12",
    ),
    (PLANT, "norm(squeeze(freqresp(feedback(S, 2) - feedback(G, 2), w))) < 1e-12"),
    (
        PLANT + "[y, t] = step(G); z = lsim(G, ones(size(t)), t);",
        "norm(y - z) < 1e-9 && abs(y(end) - dcgain(G)) < 0.01",
    ),
    (PLANT + "[y, t] = impulse(G, 0:0.01:3);", "norm(y - exp(-t) .* cos(2*t)) < 1e-10"),
    (PLANT + "D = c2d(G, 0.2); [y, t] = step(D, 3); z = step(G, t);", "norm(y - z) < 1e-9"),
    (PLANT, "norm(squeeze(freqresp(d2c(c2d(G, 0.1)) - G, w))) < 1e-8"),
    (PLANT, "norm(squeeze(freqresp(d2c(c2d(G, 0.1, 'tustin'), 'tustin') - G, w))) < 1e-8"),
    (  # weights that differ by fourteen orders of magnitude
        "A = [0 1 0 0; 0 -1/5 -2 0; 0 0 0 1; 0 -.1 6 0]; C = [1 0 0 0];"
        "V = 1e-7 * eye(4); L = lqe(A, V, C, V, 1e-7);",
        "all(real(eig(A - L * C)) < 0) && norm(L' - [4.9295 12.1501 -16.1886 -39.901]) < 1e-3",
    ),
    (PLANT, "norm(sort(pole(G)) - sort(eig(S.A))) < 1e-12 && abs(zero(S) + 1) < 1e-9"),
    (
        MIMO,
        "isequal(size(M), [2 2]) && norm(reshape(freqresp(M, w) - freqresp(N, w), [], 1)) < 1e-12",
    ),
    (MIMO + "H = freqresp(M * N, 2);", "norm(H - freqresp(M, 2)^2) < 1e-12"),
    (
        MIMO + "F = feedback(N, eye(2)); H = freqresp(M, 2);",
        "norm(freqresp(F, 2) - (eye(2) + H) \\ H) < 1e-12",
    ),
    (MIMO, "norm(freqresp(M(2, :), 1) - [freqresp(M(2, 1), 1) freqresp(M(2, 2), 1)]) < 1e-14"),
    (MIMO + "y = step(N, 0:0.1:1);", "isequal(size(y), [11 2 2])"),
    (LOOP, "max(real(eig(A - B*K))) < 0"),
    (
        LOOP + "P = care(A, B, eye(3), 2);",
        "norm(A'*P + P*A - P*B/2*B'*P + eye(3)) < 1e-9 && norm(B'*P/2 - K) < 1e-9",
    ),
    (
        LOOP + "p = [-1 -2+1i -2-1i]; L = place(A, B, p);",
        "norm(sort(eig(A - B*L)) - sort(p.')) < 1e-6",
    ),
    (LOOP + "X = lyap(A, eye(3));", "norm(A*X + X*A' + eye(3)) < 1e-10"),
    (
        LOOP + "R = ss(A, B, [1 0 0], 0); [Q, g] = balreal(R);",
        "norm(gram(Q, 'c') - diag(g)) < 1e-9 && norm(gram(Q, 'o') - diag(g)) < 1e-9",
    ),
    (
        "[g, p, wg, wp] = margin(tf(10, [1 6 11 6]));",
        "abs(g - 6) < 1e-4 && abs(wg - sqrt(11)) < 1e-4 && abs(p - 90) < 1e-4",
    ),
    (
        "x = norm(tf(1, [1 0.1 1]), inf);",
        "abs(x - 1/(0.1*sqrt(1 - 0.0025))) < 1e-6 && abs(norm(tf(1, [1 1])) - sqrt(0.5)) < 1e-12",
    ),
    ("r = rlocus(tf([1 3], [1 3 2]), 4);", "norm(sort(r) - sort(roots([1 7 14]))) < 1e-12"),
    (
        "P = exp(-tf('s')) / (tf('s') + 1); y = step(P, 0:0.5:3);",
        "y(2) == 0 && abs(y(end) - (1 - exp(-2))) < 1e-9",
    ),
    (
        "P = pade(exp(-tf('s')) / (tf('s') + 1), 3);",
        "abs(evalfr(P, 0.5i) - exp(-0.5i)/(1 + 0.5i)) < 1e-4",
    ),
    (
        "t = ''; try, feedback(tf(1, [1 1]), tf(1, [1 1], 0.1)); catch e, t = e.identifier; end",
        "strcmp(t, 'Control:combination:SampleTimeMismatch')",
    ),
    (
        "s = tf([1 2], [1 2 3]); t = s^5; u = s*s*s*s*s; v = s^-2; w = s^0;",
        "norm(t.Numerator{1} - u.Numerator{1}) < 1e-9 && isequal(size(u.Denominator{1}), [1 11])"
        " && norm(v.Numerator{1} - conv([1 2 3], [1 2 3])) < 1e-12 && dcgain(w) == 1",
    ),
    (
        "m = [.5 1; 0 .2]; s = ss(m, [1; 1], [1 2], 3, .1); t = s^3; u = s*s*s;",
        "isequal(size(t.A), [6 6]) && norm(dcgain(t) - dcgain(u)) < 1e-9",
    ),
    ("s = tf([1 2], [1 2 3]); t = s^3000;", "numel(t.Denominator{1}) == 6001"),
    (
        "close all; bode(tf({1, [1 2]; 3, 4}, {[1 1], [1 3]; [1 4], [1 5]})); a = findobj(gcf, 'Type', 'axes');",
        "numel(a) == 8",
    ),
]
FRACTION = """G = \n
      s + 1
  -------------
  s^2 + 2 s + 3
 
Continuous-time transfer function.
"""  # noqa: W293
MATRICES = """S = \n
  A = 
       x1
   x1  -2
 
  B = 
       u1
   x1   1
 
  C = 
       x1
   y1   3
 
  D = 
       u1
   y1   0
 
Sample time: 0.1 seconds
Discrete-time state-space model.
"""  # noqa: W291, W293


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_systems(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)


def test_displays(session: Session) -> None:
    assert FRACTION in session.run("G = tf([1 1], [1 2 3])")
    assert MATRICES in session.run("S = ss(-2, 1, 3, 0, 0.1)")
