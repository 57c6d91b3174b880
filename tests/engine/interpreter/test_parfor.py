"""What a parfor does in one process: as a for loop, with passes that know nothing of each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.declarations import registry
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

SAME_AS_FOR = [
    "y = zeros(1,7); LOOP i = 1:7, y(i) = i^2; end",
    "y = zeros(7,2); LOOP i = 1:7, y(i,:) = [i, -i]; end",
    "y = zeros(2,7); LOOP i = 1:7, y(:,i) = [i; 2*i]; end",
    "y = zeros(1,9); LOOP i = 1:7, y(i+2) = i; end",
    "y = 1:7; LOOP i = 1:7, y(i) = y(i)*2; end",
    "clear y; LOOP i = 1:7, y(i) = i; end",
    "clear y; LOOP i = 3:7, y{i} = sprintf('%d', i); end",
    "clear y; LOOP i = 1:7, w(i).a = i; w(i).b = 'x'; end; y = [w.a];",
    "y = single(0); LOOP i = 1:7, y = y + i; end",
    "y = int8(120); LOOP i = 1:7, y = y + i; end",
    "y = 1; LOOP i = 1:7, y = y * i; end",
    "y = eye(2); LOOP i = 1:5, y = y * [1 i; 0 1]; end",
    "y = eye(2); LOOP i = 1:5, y = [1 i; 0 1] * y; end",
    "y = 100; LOOP i = 1:7, y = y - i; end",
    "y = uint8(10); LOOP i = 1:3, y = y - uint8(1); end",
    "y = 10; LOOP i = 1:3, y = y - uint8(1); end",
    "y = uint16(1000); LOOP i = 1:300, y = y - uint16(2); end",
    "y = hours(10); LOOP i = 1:3, y -= hours(1); end; y = hours(y);",
    "y = -0; LOOP i = 1:3, y = y + (-0); end; y = 1/y;",
    "y = 0.1; LOOP i = 1:100, y = y + i/3; end",
    "y = []; LOOP i = 1:7, y = [y, i]; end",
    "y = []; LOOP i = 1:7, y = [i; y]; end",
    "y = 'a'; LOOP i = 1:3, y = [y, sprintf('%d', i)]; end",
    "y = {}; LOOP i = 1:3, y = {y{:}, i}; end; y = numel(y);",
    "y = -inf; LOOP i = 1:7, y = max(y, mod(i*5, 7)); end",
    "y = NaN; LOOP i = 1:7, y = min(y, i); end",
    "y = true; LOOP i = 1:7, y = y & i < 7; end",
    "y = []; LOOP i = 1:7, y = union(y, mod(i, 3)); end",
    "f = @(a, b) a*10 + b; y = 0; LOOP i = 1:5, y = f(y, i); end",
    "y = 0; LOOP i = 1:7, if mod(i,2), continue, end; y = y + i; end",
    "y = zeros(1,3); LOOP i = 1:3, t = 0; for j = 1:i, t = t + j; end; y(i) = t; end",
    "A = zeros(3,4); LOOP i = 1:3, for j = 1:4, A(i,j) = i*10+j; end, end; y = A;",
    "y = zeros(1,5); LOOP i = int8(1):int8(5), y(i) = i; end",
    "y = zeros(1,5); LOOP i = [1 2 3 4 5], y(i) = i; end",
    "y = 0; LOOP i = 1:0, y = y + 1; end",
    "y = 0; LOOP i = 5, y = y + i; end",
    "s.v = 1:7; y = zeros(1,7); LOOP i = 1:7, y(i) = s.v(i); end",
    "g = @(k) k + 1; y = zeros(1,7); LOOP i = 1:7, y(i) = g(i); end",
    "y = zeros(1,3); LOOP i = 1:3, try, error('a:b', 'no'); catch e, y(i) = numel(e.message); end, end",
    "y = ones(1,5,'like',1i); LOOP i = 1:5, y(i) = i*1i; end",
    'y = "a"; LOOP i = 1:3, y = y + "b"; end; y = char(y);',
]


def value(text: str, name: str = "y") -> object:
    machine = Machine()
    machine.run(text)
    return machine.interpreter.workspace[name]


@pytest.mark.parametrize("program", SAME_AS_FOR)
@pytest.mark.parametrize("place", ["script", "function"])
def test_as_a_for_loop(program: str, place: str) -> None:
    def text(word: str) -> str:
        code = program.replace("LOOP", word)
        if place == "script":
            return code
        return f"y = g();\nfunction y = g()\n{code.replace('clear y;', '')}\nend\n"

    machine = Machine()
    machine.run(text("for"))
    wanted = machine.interpreter.workspace["y"]
    machine = Machine()
    machine.run(text("parfor"))
    machine.interpreter.base["wanted"] = wanted
    machine.run("same = isequaln(y, wanted) && strcmp(class(y), class(wanted));")
    assert machine.interpreter.workspace["same"] is True


def test_passes_leave_nothing_but_slices_and_reductions() -> None:
    machine = Machine()
    machine.run("i = 9; t = 'kept'; y = zeros(1,3); parfor i = 1:3, t = i; y(i) = t; end")
    held = machine.interpreter.workspace
    assert (held["i"], held["t"]) == (9.0, "kept")


def test_a_pass_does_not_see_what_the_one_before_has_set() -> None:
    machine = Machine()
    with pytest.raises(MatlabError) as caught:
        machine.run("y = zeros(1,3); parfor i = 1:3, if i == 1, t = 5; end, y(i) = t; end")
    assert caught.value.identifier == "MATLAB:UndefinedFunction"


def test_each_pass_has_random_numbers_of_its_own() -> None:
    whole = value("rng(7); y = zeros(1,300); parfor i = 1:300, y(i) = rand; end; y = [y, rand];")
    twice = value(
        "rng(7); y = zeros(1,300); parfor i = 1:300, y(i) = rand; rand(1, i); end; y = [y, rand];"
    )
    part = value("rng(7); y = zeros(1,300); parfor i = 90:110, y(i) = rand; end")
    other = value("rng(8); y = zeros(1,300); parfor i = 1:300, y(i) = rand; end; y = [y, rand];")
    assert (whole == twice).all()  # type: ignore[attr-defined]
    assert (whole[0, 89:110] == part[0, 89:110]).all()  # type: ignore[index]
    assert (whole != other).all()  # type: ignore[attr-defined]
    assert len(set(whole.flat)) == 301  # type: ignore[attr-defined]


def test_functions_that_draw_are_seen_through() -> None:
    code = "y = zeros(1,9); parfor i = 1:9, y(i) = f(i); end\nfunction r = f(k)\nr = h(k);\nend\n"
    code += "function r = h(k)\nx = DRAW;\nr = x(1);\nend\n"
    for draw in ("randn", "randperm(k)/100", "rand(k)", "normrnd(0, 1)", "feval(@rand)"):
        text = code.replace("DRAW", draw)
        assert (value("rng(1);" + text) == value("rng(1);" + text)).all()  # type: ignore[attr-defined]
        one = value("rng(1);" + text.replace("1:9", "4:4"))
        assert one[0, 3] == value("rng(1);" + text)[0, 3]  # type: ignore[index]


@pytest.mark.parametrize("generator", ["'philox'", "'twister'"])
def test_the_stream_goes_on_after_the_loop(generator: str) -> None:
    begun = f"rng(3, {generator});"
    loop = "parfor i = 1:4, rand(1, i); rng(5); end;"
    assert value(f"{begun} {loop} y = rand;") == value(f"{begun} {loop} y = rand;")
    first, second = (value(f"{begun} {loop * k} y = rand;") for k in (1, 2))
    assert first != second


def test_blocks_are_joined_in_order() -> None:
    machine = Machine()
    machine.run("y = []; parfor i = 1:1000, y = [y, i]; end; same = isequal(y, 1:1000);")
    assert machine.interpreter.workspace["same"] is True


@pytest.mark.parametrize("values", ["1:2:5", "0.5:3", "[1 3]", "[3 2 1]", "(1:3)'", "'abc'"])
def test_other_ranges_are_refused(values: str) -> None:
    with pytest.raises(MatlabError) as caught:
        Machine().run(f"v = {values}; parfor i = v, disp(i); end")
    assert caught.value.identifier == "MATLAB:parfor:range"


def test_a_body_without_classes_is_an_error_before_anything_runs() -> None:
    machine = Machine()
    with pytest.raises(MatlabError) as caught:
        machine.run("disp('before')\nparfor i = 1:3\n  y(2*i) = 1;\nend\n")
    assert caught.value.identifier == "MATLAB:parfor:InvalidVariable"
    assert "'y'" in caught.value.message
    assert caught.value.stack[0].line == 3
    assert machine.host.text == ""


def test_a_script_is_no_part_of_a_pass(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    with open("setsome.m", "w") as file:  # noqa: PTH123
        file.write("z = 1;\n")
    with pytest.raises(MatlabError, match="'setsome' is a script"):
        Machine().run("parfor i = 1:3, setsome; end")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("x = 0; parfor k = 1:3, bad = 2*k; x = x + bad; end, x = x", "12"),
        (
            "c = {}; parfor k = 1:3, s = struct('bad', k); bad = s.bad; c{k} = bad; end\nbad = c{2}; bad",
            "2",
        ),
        ("bad = 3;\nbad\nother", "3"),
        ("bad = 4;\nother\nf = @() bad; f()", "4"),
    ],
)
def test_a_variable_may_be_called_as_a_file_that_does_not_parse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, shown: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.m").write_text("y = (3\n")
    (tmp_path / "other.m").write_text("z = 1;\n")
    assert shown in Machine().run(code)
    with pytest.raises(MatlabError):
        Machine().run("parfor k = 1:3, bad(k); end")


def test_a_reduction_without_a_value() -> None:
    with pytest.raises(MatlabError, match="'s'"):
        Machine().run("parfor i = 1:3, s = s + i; end")


def test_nested() -> None:
    text = "y = zeros(1,3); parfor i = 1:3, y(i) = f(i); end\n"
    text += "function s = f(k)\ns = 0; parfor j = 1:k, s = s + j; end\nend\n"
    assert value(text).tolist() == [[1.0, 3.0, 6.0]]  # type: ignore[attr-defined]
    text = "y = zeros(1,3); parfor i = 1:3, t = 0; parfor j = 1:i, t = t + j; end, y(i) = t; end"
    assert value(text).tolist() == [[1.0, 3.0, 6.0]]  # type: ignore[attr-defined]


def test_an_error_has_its_line() -> None:
    machine = Machine()
    with pytest.raises(MatlabError) as caught:
        machine.run("y = 1:3;\nparfor i = 1:5\n  t = y(i);\n  disp(t)\nend\n")
    assert caught.value.identifier == "MATLAB:badsubscript"
    assert caught.value.stack[0].line == 3


def test_a_sum_of_many_terms_in_a_parfor_runs() -> None:
    """What its body uses was looked for by calls as deep as the expression."""
    machine = Machine()
    terms = " + ".join(["k"] * 12_000)
    machine.run(f"parfor k = 1:3, x(k) = {terms}; end")
    assert machine.value("x").tolist() == [[12_000.0, 24_000.0, 36_000.0]]
    text = "parfor k = 1:3, for j = 1:2, if j, break, end, end, while true, break, end, {}; end"
    machine.run(text.format("y(k) = 1"))
    with pytest.raises(MatlabError, match="'break' cannot leave a parfor"):
        machine.run(text.format("if k, break, end"))


def test_a_function_whose_toolbox_is_gone_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was used before the toolbox was removed: no list says any more where it is declared."""
    monkeypatch.setitem(registry._loaded, "of_removed_toolbox", registry.lookup("sin"))
    machine = Machine()
    machine.run("parfor i = 1:3, y(i) = i; if i > 3, of_removed_toolbox(i); end, end")
    assert machine.run("disp(sum(y))").strip() == "6"
