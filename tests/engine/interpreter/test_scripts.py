"""What a whole text is given, and what is said about a text that cannot be compiled."""

from __future__ import annotations

from pathlib import Path

from app.engine.interpreter.interpreter import Interpreter
from app.settings import Settings
from app.source import SourceText
from tests.engine.interpreter.running import Machine, Recorder

CLASSES = Path(__file__).parents[2] / "conformance" / "support"


def test_a_script_sees_the_arguments_it_was_started_with() -> None:
    host = Recorder()
    interpreter = Interpreter(Settings(), None, host)
    source = SourceText("<script>", "fprintf('%d', nargin); c = argv(); fprintf(' %s', c{:})")
    interpreter.run(source, ("one", "two words"))
    assert host.text == "2 one two words"


def test_without_arguments_there_is_no_count() -> None:
    assert Machine().fails("nargin").identifier == "MATLAB:nargin"


def test_an_expression_too_deep_to_compile_names_its_statement() -> None:
    error = Machine().fails("a = 1;\nif a\n  b = " + "a + " * 20_000 + "a;\nend", "deep.m")
    assert (error.stack[0].file, error.stack[0].line) == ("deep.m", 3)


def test_numbers_of_a_derived_class_index_and_loop() -> None:
    machine = Machine()
    machine.interpreter.path.add([str(CLASSES)])
    machine.run(
        "d = Length([2 4], 'cm'); x = zeros(1, 4); x(d) = 1; n = 0; for k = d, n = n + k; end"
    )
    assert machine.value("n") == 6.0
    assert machine.value("x").tolist() == [[0.0, 1.0, 0.0, 1.0]]


def test_a_script_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "step_one.m").write_text("q = 3;\n")
    machine = Machine()
    machine.interpreter.path.add([str(tmp_path)])
    for use in (
        "y = step_one",
        "y = step_one + 1",
        "disp(step_one)",
        "step_one += 2",
        "{step_one}",
    ):
        error = machine.fails(use)
        assert error.identifier == "MATLAB:scriptNotAFunction", use
        assert error.message.startswith("Attempt to execute SCRIPT step_one as a function")
    machine.run("step_one, q = q + 1; if q, step_one, end")
    assert machine.value("q") == 3.0
