"""Signal functions: what their outputs add up to, and that without outputs they draw."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

DRAWN = [
    "pwelch(x)",
    "periodogram(x)",
    "spectrogram(x)",
    "cpsd(x, x)",
    "mscohere(x, x)",
    "tfestimate(x, x)",
    "freqz([1 2], 1)",
    "impz([1 2], 1)",
    "stepz([1 2], 1)",
    "grpdelay([1 2], 1)",
    "phasez([1 2], 1)",
    "zplane([1 2], [1 0.5])",
    "freqs(1, [1 1])",
    "findpeaks(x)",
]


@pytest.fixture
def session() -> Session:
    """A session without acceleration."""
    return Session()


@pytest.mark.parametrize("call", DRAWN)
def test_no_outputs_means_a_picture(session: Session, call: str) -> None:
    session.run(f"x = sin(0.3*(1:600)') + 0.1*cos((1:600)'.^2); {call}")
    assert session.holds("numel(findobj(gcf, 'Type', 'axes')) > 0")
    assert session.holds("~exist('ans', 'var')")
    session.run("close all")


@pytest.mark.parametrize(
    ("change", "variable"),
    [("lp2bp", "(s.^2 + 9) ./ (2 * s)"), ("lp2bs", "2 * s ./ (s.^2 + 9)")],
)
def test_a_band_is_its_low_pass_at_another_place(
    session: Session, change: str, variable: str
) -> None:
    session.run(f"b = [1 2]; a = [2 3 5 1]; s = [1i 2 + 1i -3]; [p, q] = {change}(b, a, 3, 2);")
    session.run(f"z = {variable}; h = polyval(b, z) ./ polyval(a, z);")
    assert session.holds("norm(polyval(p, s) ./ polyval(q, s) - h) < 1e-12")
    session.run(f"[p, q] = {change}(1, ones(1, 300), 1, 1);")
    assert session.holds("numel(q) == 599 && q(1) == 1")


@pytest.mark.parametrize("options", ["", ", 'twosided'", ", 'centered'"])
def test_a_density_adds_up_to_the_power(session: Session, options: str) -> None:
    session.run(f"x = cos(2*pi*50*(0:999)'/1000);[p, f] = pwelch(x, 1000, 0, 1000, 1000{options});")
    assert session.value("sum(p)*(f(2)-f(1))") == pytest.approx(0.5, rel=1e-6)
    assert session.holds("all(diff(f) > 0)")


def test_columns_are_channels(session: Session) -> None:
    session.run("x = sin((1:300)'*[0.2 0.5]); p = pwelch(x, 100); q = pwelch(x(:, 2), 100);")
    assert session.holds("isequal(p(:, 2), q)")


def test_cascades_are_their_filters(session: Session) -> None:
    session.run(
        "[b, a] = butter(5, 0.3); [c, d] = sos2tf(tf2sos(b, a)); [s, g] = tf2sos(b, a);"
        "[e, f] = sos2tf(s, g);"
    )
    assert session.holds("norm(c(1:6) - b) + norm(d(1:6) - a) < 1e-10")
    assert session.holds("norm(e(1:6) - b) + norm(f(1:6) - a) < 1e-10")


@pytest.mark.parametrize(
    "call",
    [
        "lp2lp([1e-20 1], [1 2 3], 4)",
        "lp2hp([1e-20 1], [1 2 3], 4)",
        "tf2ss([1e-20 0 1], [1 2 3])",
        "zp2ss(char(0), [1+2i 3], char(0))",
        "bilinear([1e-20 1], [1 2 3], 2)",
    ],
)
def test_leading_coefficients_near_0_are_cut_without_a_word(session: Session, call: str) -> None:
    session.run(f"[a, b] = {call};")
    assert session.holds("~isempty(b)")
