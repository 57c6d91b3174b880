"""Texts that are evaluated again: compiled once, and still what they mean at the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.interpreter import loader
from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.settings import Settings
from tests.engine.interpreter.running import Machine

MINIMISER = """
function [s, t] = total(f, varargin)
call = 'feval(f, s)';
s = 1; t = 0;
for k = 1:200
  [s, d] = eval(call);
  t = t + d;
end
end
"""


def test_the_same_text_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "total.m").write_text(MINIMISER.strip())
    parsed: list[str] = []
    parse = loader.parse_checked

    def counted(source: object, octave: bool) -> object:
        parsed.append(source.text)  # type: ignore[attr-defined]
        return parse(source, octave)  # type: ignore[arg-type]

    monkeypatch.setattr(loader, "parse_checked", counted)
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); [s, t] = total(@(x) deal(x + 1, x));")
    assert (machine.value("s"), machine.value("t")) == (201, 20100)
    assert parsed.count("feval(f, s)") == 1


def test_names_mean_what_they_mean_at_the_time() -> None:
    machine = Machine()
    t = "eval('max(2)')"
    machine.run(f"a = {t}; max = [7 8 9]; b = {t}; clear max; c = {t};")
    assert [machine.value(n) for n in "abc"] == [2, 8, 2]


def test_functions_of_a_text_are_defined_each_time() -> None:
    machine = Machine()
    machine.interpreter = Interpreter(Settings(octave=True), None, machine.host, NATIVE)
    text = "eval('function y = h(), y = 1; end'); a = h(); eval('function y = h(), y = 2; end');"
    again = "b = h(); eval('function y = h(), y = 1; end'); c = h();"
    machine.run(text + again)
    assert [machine.value(n) for n in "abc"] == [1, 2, 1]


def test_a_text_that_evaluates_itself() -> None:
    machine = Machine()
    machine.run("n = 0; t = 'n = n + 1; if n < 5, eval(t), end'; eval(t); m = n; n = 3; eval(t);")
    assert (machine.value("m"), machine.value("n")) == (5, 5)


def test_outputs_and_statements_of_one_text() -> None:
    machine = Machine()
    machine.run("f = 'size(ones(2, 3))'; [p, q] = eval(f); r = eval(f); s = evalc(f);")
    assert (machine.value("p"), machine.value("q")) == (2, 3)
    assert machine.value("isequal(r, [2 3]) && contains(s, 'ans')")


def test_a_text_in_two_functions_sees_each_ones_local_functions(tmp_path: Path) -> None:
    for name, number in (("one", 1), ("two", 2)):
        (tmp_path / f"{name}.m").write_text(
            f"function y = {name}\ny = eval('own()');\nend\nfunction y = own()\ny = {number};\nend\n"
        )
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); a = [one, two, one, two];")
    assert machine.value("isequal(a, [1 2 1 2])")


KEEPER = """
function r = keeper(n)
persistent held count
if isempty(count), held = []; count = 0; end
eval('count = count + 1;');
if n > 0, keeper(n - 1); end
further
r = {count, held, exist('held', 'var'), exist('other', 'var'), strjoin(who', ' ')};
end
"""


def test_texts_and_scripts_share_persistent_variables(tmp_path: Path) -> None:
    (tmp_path / "keeper.m").write_text(KEEPER.strip())
    (tmp_path / "further.m").write_text("held(end + 1) = count; n = -1;")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); r = keeper(2); s = keeper(0);")
    machine.run("ok = isequal(r(1:4), {3, [3 3 3], 1, 0}) && strcmp(r{5}, 'ans count held n');")
    machine.run("again = isequal(s(1:2), {4, [3 3 3 4]}); clear keeper; t = keeper(0);")
    assert machine.value("ok")
    assert machine.value("again")
    machine.run("fresh = isequal(t(1:2), {1, 1});")
    assert machine.value("fresh")


def test_functions_of_a_text_for_the_caller_are_those_of_who_asks(tmp_path: Path) -> None:
    (tmp_path / "asking" / "private").mkdir(parents=True)
    (tmp_path / "asking" / "ask.m").write_text(
        "function r = ask()\nevalin('caller', 'inner'); r = evalin('caller', 'local(q)');\n"
        "r = [r, exist('inner', 'file'), ~isempty(which('inner'))];\nend\n"
        "function y = local(x), y = 10 * x; end"
    )
    (tmp_path / "asking" / "private" / "inner.m").write_text("q = q + 1;")
    (tmp_path / "asked.m").write_text("function r = asked()\nq = 4; r = [ask(), q];\nend")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}', '{tmp_path}/asking'); r = asked();")
    machine.run("ok = isequal(r, [50 2 1 5]) && exist('inner', 'file') == 0;")
    assert machine.value("ok")
