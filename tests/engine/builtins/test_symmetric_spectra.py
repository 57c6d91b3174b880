"""Spectra of real numbers are exactly symmetric, so that their inverses are real."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.fft import fftn

from app.engine.builtins.signals.symmetric_spectra import is_symmetric, make_symmetric
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    "shape", [(6, 3), (12, 1), (10, 16), (7, 7), (17, 5, 6), (3, 1, 4), (2, 2)]
)
def test_transforms_there_and_back_are_real(session: Session, shape: tuple[int, ...]) -> None:
    session.run(f"x = rand([{' '.join(map(str, shape))}]); y = fft(x); z = fft2(x); w = fftn(x);")
    assert session.holds("isreal(ifft(y)) && isreal(ifft2(z)) && isreal(ifftn(w))")
    assert session.holds("max(abs(ifft2(z) - x), [], 'all') < 1e-14")
    assert session.holds("isreal(ifft2(z .* z)) && isreal(ifft2(fft2(x) .* abs(z)))")


def test_one_element_makes_a_spectrum_complex(session: Session) -> None:
    session.run("z = fft2(rand(8, 6)); a = z; a(5, 3) = a(5, 3) * (1 + eps); b = z; b(2, 2) = NaN;")
    assert session.holds("isreal(ifft2(z)) && ~isreal(ifft2(a)) && ~isreal(ifft2(b))")


def test_symmetry_is_said_in_the_same_way_everywhere(session: Session) -> None:
    session.run("z = rand(4, 3) + 1i;")
    for call in ("ifft(z", "ifft(z, 5, 2", "ifft2(z", "ifft2(z, 5, 2", "ifftn(z", "ifftn(z, [5 2]"):
        assert session.holds(f"isequal({call}, 'Symmetric'), real({call})))")
        assert session.holds(f'isequal({call}, "nonsymmetric"), {call}))')
        with pytest.raises(MatlabError, match="'symetric' is not an option of ifft"):
            session.run(f"{call}, 'symetric')")


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1), (0, 2), (0, 1, 2)])
def test_symmetry_is_what_its_definition_says(axes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    for shape in ((4, 5, 6), (5, 1, 2), (1, 3, 3)):
        numbers = rng.standard_normal(shape)
        spectrum = fftn(numbers, axes=axes)
        make_symmetric(spectrum, axes)
        assert np.allclose(spectrum, np.fft.fftn(numbers, axes=axes))
        opposite = np.conj(np.roll(np.flip(spectrum, axes), (1,) * len(axes), axes))
        assert np.array_equal(spectrum, opposite)
        assert is_symmetric(spectrum, axes)
        changed = spectrum.copy()
        changed[-1, -1, -1] += 1j
        assert not is_symmetric(changed, axes)
