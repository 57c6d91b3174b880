"""A part of the campaign of mutated programs for every run of the tests."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import programs
from tests.fuzz.calls import Calls


def test_mutated_texts_are_parsed_and_linted() -> None:
    texts = programs.corpus()
    said = [programs.read(programs.mutation(texts, random.Random(seed))) for seed in range(50)]
    assert not [what for what in said if what.startswith("exception")]


@pytest.mark.parametrize("function", ["addpath", "cd", "rmpath", "mkdir", "fopen", "load", "run"])
def test_a_restricted_script_may_name_what_no_file_is_called(function: str) -> None:
    assert programs.Runs()(f"name = ['su' char(0) 'p']; {function}(name);") == ""


def test_texts_of_more_blanks_than_memory_are_an_error_of_memory() -> None:
    runs = programs.Runs()
    assert runs("x = blanks(1e13);") == ""
    assert "MATLAB:array:SizeLimitExceeded" in [getattr(e, "identifier", "") for e in runs.events]


@pytest.mark.parametrize(
    "code",
    [
        *(
            "x = rand(1:3000);",
            "x = randi(5, 1:300);",
            "x = zeros(1:70);",
            "x = true(ones(1, 70) * 2);",
        ),
        *("x(1e308) = 1;", "x(1e308).a = 1;", "x.a(1e15) = 1;", "x = 1:intmax('uint64');"),
        *(
            "x = zeros(uint64(2)^60, 1);",
            "[r, c] = ind2sub(1:3000, 1);",
            "x = legendre(1e18, 0.5);",
        ),
        *("x = histcounts(1:3, 1e18);", "x = medfilt1(1:5, 1e308);", "x = interp2(ones(3), 1e10);"),
        *("x = sprintf('%.*f', 1e10, 1);", "x = circshift(1:3, 1 + 1i);", "subplot('a', 1, 1);"),
        "x = sscanf('1 2', '%d', 1 + 1i);",
        *("x = houghlines(1, 3, [1 2], 1:3);", "x = lsim(3, [2 3]);", "x = medfilt2(1:30, 1:3);"),
        *("nichols(tf(1, [1 1]), {});", "x = series(tf(1, [1 1]), tf(1, [1 1]), 0, 1);"),
        *("x = gplot(1, -1);", "x = prepad([1 3], 1e308);", "x = besselap(200);"),
    ],
)
def test_what_is_too_large_or_of_another_kind_is_an_error_of_matlabs(code: str) -> None:
    runs = programs.Runs()
    assert runs(code) == ""
    assert runs.statuses == {"error": 1}


@pytest.mark.parametrize(
    "code",
    [
        "assert(isequal(double(char(int8([100 65 -1]))), [100 65 0]))",
        "assert(isequal(nchoosek(1e308, 2), Inf))",
        "assert(isequal(sprintf('%.*f', -1, 1), sprintf('%f', 1)))",
        "assert(isempty(inputname(int8(100))))",
        "assert(numel(histcounts(1:3, 1e5)) == 1e5)",
        "assert(isequal(trapz(2, [1 2; 3 4], 5), zeros(2)), isequal(cumtrapz(1, [1 2], 3), [0 0]))",
        "assert(entropy(int8([0 1])) == 1 && entropy(uint8([0 10 20 30])) == 2)",
    ],
)
def test_odd_inputs_that_mean_something(code: str) -> None:
    runs = programs.Runs()
    assert runs(code) == ""
    assert runs.statuses == {"ok": 1}, runs.events


def test_calls_with_inputs_that_nobody_expects() -> None:
    calls = Calls()
    found = [said for seed in range(300) for said in calls.findings(seed)]
    assert not found, "\n".join(found)
