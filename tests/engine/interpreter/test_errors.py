"""Errors carry identifier, text, place, caret and every frame; nothing crashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.declarations.builtin_index import index, shipped
from app.engine.interpreter.undefined_names import LEFT_OUT, undefined_name
from tests.engine.interpreter.running import Machine, on_big_stack

LIBRARY = Path(__file__).parents[3] / "resources" / "library"


def test_stack_has_every_frame_with_lines(tmp_path: Path) -> None:
    file = tmp_path / "deep.m"
    file.write_text(
        "function deep(k)\n  if k == 0\n    error('a:b', 'down');\n  end\n  deep(k - 1);\nend\n"
    )
    machine = Machine()
    machine.interpreter.path.set_current(str(tmp_path))
    problem = machine.fails("x = 1;\ndeep(2)")
    assert [(f.name, f.line) for f in problem.stack[:3]] == [("deep", 3), ("deep", 5), ("deep", 5)]
    assert problem.identifier == "a:b"
    assert problem.stack[0].file == str(file)


def test_caret_is_under_the_expression() -> None:
    problem = Machine().fails("a = 1;\nb = a + undefined_name * 2;")
    line, caret = problem.caret.split("\n")
    assert line == "b = a + undefined_name * 2;"
    assert caret.index("^") == line.index("undefined_name")


def test_endless_recursion_is_an_error_and_the_workspace_stays() -> None:
    def attempt() -> tuple[str, object]:
        machine = Machine()
        machine.run("keep = 7;")
        problem = machine.fails("forever(1);\nfunction r = forever(n)\n r = forever(n + 1);\nend")
        return problem.identifier, machine.interpreter.workspace["keep"]

    assert on_big_stack(attempt) == ("MATLAB:recursionLimit", 7.0)


def test_five_hundred_nested_calls_are_fine() -> None:
    text = "r = down(500);\nfunction r = down(n)\n if n == 0, r = 0; else, r = 1 + down(n - 1); end\nend"

    def attempt() -> object:
        machine = Machine()
        machine.run(text)
        return machine.interpreter.workspace["r"]

    assert on_big_stack(attempt) == 500.0


def test_syntax_error_runs_nothing() -> None:
    machine = Machine()
    problem = machine.fails("x = 1;\ny = (2;\n")
    assert problem.stack[0].line == 2
    assert "x" not in machine.interpreter.workspace


def test_failed_nested_assignment_changes_nothing() -> None:
    machine = Machine()
    machine.run("s.a.b = {1, 2};")
    machine.fails("s.a.b{2}.c(0) = 1;")
    assert machine.value("s.a.b{2}") == 2.0


def test_cleanup_runs_before_the_handler() -> None:
    text = """
    try, f(); catch e, disp(e.message); end
    function f()
      c = onCleanup(@() disp('clean'));
      error('failed');
    end
    """
    assert Machine().run(text) == "clean\nfailed\n"


@pytest.mark.parametrize(
    "body",
    [
        "y(x < p(2)) = x(x < p(2));",
        "y(p(2)) = p(1);",
        "y(p(2)) += p(1);",
        "y{p(2)} = p(1);",
        "y.a(p).b = p(1);",
        "y(p.at) = p.at;",
        "y(x + p) = x * p;",
        "y(end + p) = numel(p);",
        "z(p(1)) = p; y = z;",
    ],
)
def test_an_input_that_is_missing_is_told_wherever_it_is_read_first(body: str) -> None:
    """Subscripts of a target run before the value, though the value is compiled first."""
    code = f"try, f(1:3), catch e, id = e.identifier; end\nfunction y = f(x, p)\n{body}\nend\n"
    machine = Machine()
    machine.run(code)
    assert machine.interpreter.workspace["id"] == "MATLAB:minrhs"


@pytest.mark.parametrize("use", ["disp(G)", "G(1);", "x = G + 1;", "G(3) = 1;", "x = G{1};"])
@pytest.mark.parametrize("kind", ["global", "persistent"])
def test_a_variable_used_above_its_declaration_is_undefined(use: str, kind: str) -> None:
    code = f"try, f, catch e, id = e.identifier; end\nfunction f\n{use}\n{kind} G;\nend\n"
    machine = Machine()
    machine.run(code)
    assert machine.interpreter.workspace["id"] == "MATLAB:UndefinedFunction"


def test_names_that_are_left_out_are_not_there_and_say_what_to_use() -> None:
    folders = [LIBRARY, *(folder for toolbox in shipped() for folder in toolbox.path)]
    there = {file.stem for folder in folders for file in folder.glob("*.m")} | index().keys()
    assert sorted(LEFT_OUT.keys() & (there | {n for t in shipped() for n in t.modules})) == []
    assert "use uimenu" in undefined_name("uipushtool").message


@pytest.mark.parametrize(
    ("base", "instead"),
    [
        ("matlab.System", "derive from handle"),
        ("matlab.apps.AppBase", "uicontrol"),
        ("matlab.mixin.indexing.RedefinesParen", "subsref"),
    ],
)
def test_a_superclass_that_is_left_out_says_what_to_do(
    tmp_path: Path, base: str, instead: str
) -> None:
    (tmp_path / "Derived.m").write_text(f"classdef Derived < {base}\nend\n")
    machine = Machine()
    machine.interpreter.path.set_current(str(tmp_path))
    problem = machine.fails("d = Derived;")
    assert problem.identifier == "MATLAB:class:invalidSuperClass"
    assert instead in problem.message
