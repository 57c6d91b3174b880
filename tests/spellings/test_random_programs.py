"""Some of the random loop programs of `campaign`; the command runs as many as wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.spellings.campaign import difference
from tests.spellings.guard_programs import guard_program
from tests.spellings.matrix_programs import matrix_program
from tests.spellings.random_programs import program
from tests.spellings.state_programs import state_program

COUNT, PART = 120, 20
MATRICES = 100
STATES = 100
GUARDS = 80


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu", kernel_cache=False))
    yield made
    made.close()


@pytest.mark.parametrize("first", range(0, COUNT, PART))
def test_a_loop_does_what_it_does_pass_by_pass(first: int, runtime: Runtime) -> None:
    for seed in range(first, first + PART):
        text = program(seed)
        found = difference(text, runtime)
        assert not found, f"{found}: {text}"


@pytest.mark.parametrize("first", range(0, MATRICES, PART))
def test_a_loop_over_matrices_does_so_too(first: int, runtime: Runtime) -> None:
    for seed in range(first, first + PART):
        text = matrix_program(seed)
        found = difference(text, runtime)
        assert not found, f"{found}: {text}"


@pytest.mark.parametrize("first", range(0, STATES, PART))
def test_a_loop_that_carries_containers_does_so_too(first: int, runtime: Runtime) -> None:
    for seed in range(first, first + PART):
        text = state_program(seed)
        found = difference(text, runtime)
        assert not found, f"{found}: {text}"


@pytest.mark.parametrize("first", range(0, GUARDS, PART))
def test_what_may_turn_out_complex_does_where_it_does_at_once(first: int, runtime: Runtime) -> None:
    for seed in range(first, first + PART):
        text = guard_program(seed)
        found = difference(text, runtime)
        assert not found, f"{found}: {text}"


HELD = """
n = 128; x = reshape(sin((1:1792) / 7), 128, 14); Y = zeros(n, 14); s = 0.2;
C{1} = x(:, 1); C{2} = x(:, 2); C{3} = 0 * C{1};
for t = 1:14
g = real(C{2}) > 0.5; C{2}(g) = -1;
Y(:, t) = real(C{2});
c = {C{1}, C{2}}; C{3} = 0.5 * C{3} + 0.1 * c{2};
C{3}(2:end-1) = 0.5 * (C{3}(1:end-2) + C{3}(3:end));
b = C{3}; b(1) = 7; C{2} = C{2} + 0.001 * b;
if s > 0.9, break, end
end
"""


def test_memory_of_what_is_asked_for_later_is_not_taken_over(runtime: Runtime) -> None:
    # A value that one plan goes on with and does not store, and that a variable still holds.
    assert not difference(HELD, runtime)


ROWS_AS_MATRICES = """
p = 15; n = 300; w = (1:7)'; A = reshape(sin(1:20 * p * n), 20, p * n); Q = zeros(20, n);
for t = 1:20
F = reshape(A(t, :), p, []);
Q(t, :) = sum((w * ones(1, n)) .* F(2:2:p, :));
end
"""


def test_columns_that_a_reshape_makes(runtime: Runtime) -> None:
    # The columns of a sum are computed apart; those of the reshaped row are not.
    assert not difference(ROWS_AS_MATRICES, runtime)


INVARIANT_ROWS = """
n = 301; Q = zeros(14, n); R = Q; z = sin((1:n)' / 7); y = z; v = sin(1:n);
for t = 1:14
Q(t, :) = v;
R(t, 1:2:end) = v(1:2:end);
y = 0.3 * y + 0.1 * z;
end
"""


def test_a_row_that_no_pass_computes_is_stored_whole(runtime: Runtime) -> None:
    # Its elements are points of the loop, though the value comes from outside.
    assert not difference(INVARIANT_ROWS, runtime)


REVERSED_ROWS = """
A = reshape(sin(1:200), 40, 5); B = A'; c = cos(1:40)';
for t = 1:9
A(A(end:-1:1, :) > 0.5) = 0.25;
B(2, end:-1:1) = 0.5 * B(1, :) + 0.1;
c = 0.8 * c + 0.1 * min(A, [], 2) + 0.1 * min(B)';
end
"""


def test_columns_apart_are_read_and_set_from_their_first_element_on(runtime: Runtime) -> None:
    assert not difference(REVERSED_ROWS, runtime)


ROTATED = """
A = reshape(sin(1:400), 20, 20); B = A; n = 20;
for t = 1:40
A = A(:, [2:n 1]); A = A([n 1:n-1], :);
B = 0.5 * B + A([3:n 1 2], [5:n 1:4])';
end
"""


def test_rotations_of_rotations_end(runtime: Runtime) -> None:
    # A place that turns at two others has three forms of theirs: planning took hours.
    assert not difference(ROTATED, runtime)


CHOSEN_NUMBERS = """
A = sin(1:301); B = A; q = 0; s = 0.1; f = true;
for u = 1:2
for t = 1:9
if q > 5, B = -B; f = false; else, s = s + 1; end
B = B * 0.9 + A; q = q + sum(B .* A) / 99;
end
s = s / 2; q = q / 2; if f, s = s + 1; end
end
"""


def test_numbers_that_data_choose_are_numbers_behind_the_loop(runtime: Runtime) -> None:
    # The code there was compiled for floats: what a device knows of them is fetched.
    assert not difference(CHOSEN_NUMBERS, runtime)


def test_an_array_that_is_read_and_set_is_no_short_axis(runtime: Runtime) -> None:
    # Every element would be a variable of its own.
    text = "A = sin(1:20000)'; for t = 1:9, A(end) = t; A(1) = A(1) / 2; end"
    assert not difference(text, runtime)


def test_totals_of_passes_have_their_class(runtime: Runtime) -> None:
    # Imaginary parts were dropped, and no whole number is below all others.
    text = "z = sin(1:301) * exp(1i); q = 0; for t = 1:9, z = z * 0.9; q = q + abs(sum(z)); end"
    assert not difference(text, runtime)
    text = "A = int8(90 * sin(1:301)); k = zeros(1, 9); for t = 1:9, A = A + 9; k(t) = min(A); end"
    assert not difference(text, runtime)


def test_running_values_of_what_left_the_real_numbers_are_complex(runtime: Runtime) -> None:
    # Imaginary parts were dropped, and what was real again was none to `isreal`.
    text = """x = sin((1:300)'); a = cumsum(sqrt(x)); b = cumprod(log(x));
    r = [isreal(a), isreal(max(sqrt(x), 2)), isreal(min(acos(x * 2), 0.4))];"""
    assert not difference(text, runtime)
