"""Texts that passes set and ask for are what they are pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.spellings.campaign import difference

SETUP = "n = 300; u = sin((1:n)' / 7); v = 0 * u; t = 'x';\n"
QUESTIONS = (
    "strcmp(t, 'x')",
    "ischar(t) && t(1) == 'x'",
    "any(strcmp({'x', 'z'}, t))",
    "any(strcmp({t}, 'x'))",
    "strcmpi('X', t)",
    "strncmp(t, 'x', 1)",
    "isequal({t}, {'x'})",
    "numel(t) == 1",
)
BODIES = (
    "if sum(u) > 20, s = 'hi'; else, s = 'lo'; end",
    "s = 'go'; if sum(u) > 100, s = 'done'; break, end",
    "if sum(u) > 100, s = 'done'; break, end, s = 'go';",
    "c = {'a', u, k}; v = v + c{2};",
    "c = {'a', 'b'}; for i = 1:2, if strcmp(c{i}, 'a'), v = v + u; else, v = v - u / 2; end, end",
    "s.name = 'abc'; s.val = u; v = v + s.val;",
    "if k == 1, c = {'p'}; else, c = {'q', 'r'}; end",
    "c = {'q', 'r'}; if k >= 20, c = {'z', 'y'}; end",
    "w.a = u; w.b = v; for f = fieldnames(w)', u = u + 0.01 * w.(f{1}); end",
    "g = t; t = 'y';",
    "if mod(k, 3) == 0, s = 'three'; elseif mod(k, 3) == 1, s = 'one'; else, s = 'two'; end",
    "if k > 1, v = v + g.w; end, g = struct('w', u, 'n', 'abc');",
)


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu", kernel_cache=False))
    yield made
    made.close()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_text_of_the_pass_before_is_asked_for(question: str, runtime: Runtime) -> None:
    ways = f"if {question}, u = u * 0.9; t = 'yy'; else, u = u * 0.8; t = 'x'; end"
    text = f"{SETUP}for k = 1:30, {ways}, end, disp(t)"
    assert not difference(text, runtime)


@pytest.mark.parametrize("body", BODIES)
def test_texts_are_left_as_the_last_pass_leaves_them(body: str, runtime: Runtime) -> None:
    loop = f"for k = 1:30, u = 0.9 * u + 0.05; {body}\nend\n"
    assert not difference(SETUP + loop, runtime)
    assert not difference(f"{SETUP}for r = 1:2\n{loop}end\n", runtime)
