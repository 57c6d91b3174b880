"""Source to tree, shown as printed text; and what is said about broken source."""

from __future__ import annotations

import time

import pytest

from app.engine.language import OCTAVE, ast, parse, parse_expression
from app.engine.language.printer import print_file
from app.engine.language.printer_expr import print_expr
from app.source import SourceText


def tree(text: str) -> ast.File:
    result = parse(SourceText("t.m", text))
    assert [d.message for d in result.diagnostics] == []
    return result.file


def grouped(expr: ast.Expr) -> str:
    """The expression with every operation in parentheses."""
    match expr:
        case ast.Binary() | ast.ShortCircuit():
            return f"({grouped(expr.left)}{expr.op}{grouped(expr.right)})"
        case ast.Unary():
            return f"({expr.op}{grouped(expr.operand)})"
        case ast.Postfix():
            return f"({grouped(expr.operand)}{expr.op})"
        case ast.Range():
            parts = [expr.start, *([expr.step] if expr.step else []), expr.stop]
            return f"({':'.join(grouped(p) for p in parts)})"
        case ast.AnonymousFunction():
            return f"(@{grouped(expr.body)})"
        case _:
            return print_expr(expr)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2^3^2", "((2^3)^2)"),
        ("-2^2", "(-(2^2))"),
        ("2^-1", "(2^(-1))"),
        ("2^-1^2", "((2^(-1))^2)"),
        ("a^b'", "((a^b)')"),
        ("a.^b(1)'", "((a.^b(1))')"),
        ("-a*b", "((-a)*b)"),
        ("~a == b", "((~a)==b)"),
        ("!a != b", "((~a)~=b)"),
        ("a + b*c", "(a+(b*c))"),
        ("a - b - c", "((a-b)-c)"),
        ("1:n+1", "(1:(n+1))"),
        ("a:b:c", "(a:b:c)"),
        ("a:b:c:d", "((a:b:c):d)"),
        ("a < b:c", "(a<(b:c))"),
        ("a & b | c", "((a&b)|c)"),
        ("a || b && c", "(a||(b&&c))"),
        ("a | b && c", "((a|b)&&c)"),
        ("@(x) x + 1", "(@(x+1))"),
        ("@(x) x' * @(y) y", None),
        ("a ** b", "(a^b)"),
        ("a .- b.*c", "(a-(b.*c))"),
        ("a.+1", "(a+1)"),
        ("(.-a)", None),
        ("x'.^2", "((x')^2)".replace("^", ".^")),
        ("(a + b)*c", "((a+b)*c)"),
        ("a\\b", "(a\\b)"),
    ],
)
def test_precedence(text: str, expected: str | None) -> None:
    expr, diagnostics = parse_expression(SourceText("e", text))
    if expected is None:
        assert diagnostics
    else:
        assert expr is not None
        assert grouped(expr) == expected


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("x=[1 -2;3,4]", "x = [1, -2; 3, 4]\n"),
        ("c={'a' \"b\";@f,@(x)x}", "c = {'a', \"b\"; @f, @(x) x}\n"),
        ("[1,2,\n3,]", "[1, 2; 3]\n"),
        ("[]", "[]\n"),
        ("x(:,end+1)=[];", "x(:, end + 1) = [];\n"),
        ("s.(n){2}.f(1).g = 1;", "s.(n){2}.f(1).g = 1;\n"),
        ("[a,~,c.d(2)]=f(x);", "[a, ~, c.d(2)] = f(x);\n"),
        ("x++; y--", "x += 1;\ny -= 1\n"),
        ("x |= y", "x |= y\n"),
        ("hold on;", "hold on;\n"),
        ("title 'my plot'", "title 'my plot'\n"),
        ("import a.b.* c.d", "import a.b.* c.d\n"),
        ("global a b", "global a b\n"),
        ("persistent n = 0", "persistent n = 0\n"),
        ("a = ...\n% why\n # more\n  2;", "a = 2;\n"),
        ("a = 1 ...\n% done\nb = 2;", "a = 1\nb = 2;\n"),
        ("save .dir.mat x", "save '.dir.mat' x\n"),
        ("p = 1;\np 'f(x)' q", "p = 1;\np 'f(x)' q\n"),
        ("p = 1; p '*q'", "p = 1;\np' * q'\n"),
        ("s .a.b = 1;", "s.a.b = 1;\n"),
        ("a = 1;\0\nb = 2;", "a = 1;\nb = 2;\n"),
        ("T.(1) = T.(2)(3);", "T.(1) = T.(2)(3);\n"),
        ("f(x, Name=1)", "f(x, Name=1)\n"),
        ("m = ?pkg.C", "m = ?pkg.C\n"),
        ("parfor (i = 1:n, 4), x, end", "parfor (i = 1:n, 4)\n    x\nend\n"),
        ("for (k = 1:3) x; end", "for k = 1:3\n    x;\nend\n"),
        ("for [v, k] = s, v, end", "for [v, k] = s\n    v\nend\n"),
        ("if a, elseif b, else, end", "if a\nelseif b\nelse\nend\n"),
        ("if (a) b, else c, end", "if a\n    b\nelse\n    c\nend\n"),
        ("try, a, catch e, b, end", "try\n    a\ncatch e\n    b\nend\n"),
        (
            "switch x case 1 a; case {2,3} b; otherwise c; end",
            "switch x\n    case 1\n        a;\n    case {2, 3}\n        b;\n    otherwise\n        c;\nend\n",
        ),
        ("do\n x; until x > 3", "do\n    x;\nuntil x > 3\n"),
        (
            "unwind_protect\na;\nunwind_protect_cleanup\nb;\nend_unwind_protect",
            "unwind_protect\n    a;\nunwind_protect_cleanup\n    b;\nend_unwind_protect\n",
        ),
        ("spmd, x, end", "spmd\n    x\nend\n"),
        ("o.setup@pkg.Base(1)", "setup@pkg.Base(o, 1)\n"),
        (
            "function [a b] = f(x, ~)\na = x; b = 1;\nend",
            "function [a, b] = f(x, ~)\n    a = x;\n    b = 1;\nend\n",
        ),
        (
            "function f\nx\nfunction g(varargin)\ny",
            "function f()\n    x\nend\n\nfunction g(varargin)\n    y\nend\n",
        ),
        (
            "function y = f(x)\narguments\nx (1,:) double {mustBePositive, mustBeFinite} = 3\nend\ny = x;\nend",
            "function y = f(x)\n    arguments\n        x (1, :) double {mustBePositive, mustBeFinite} = 3\n"
            "    end\n    y = x;\nend\n",
        ),
        ("x\nfunction y\nend", "x\n\nfunction y()\nend\n"),
    ],
)
def test_statement(text: str, printed: str) -> None:
    assert print_file(tree(text)) == printed


CLASS = """\
% A class.
classdef (Sealed, Hidden = true) C < pkg.Base & handle
    % Its help.
    properties (Access = {?A, ?B}, ~Constant)
        a            % first
        b (1,:) double {mustBeReal} = [1 2]
        c pkg.D
        d@char vector
    end
    properties, e = 1; f, end
    methods
        function o = C(x)
            o = o@pkg.Base(x);
        end
        function v = get.a(o), v = o.a; end
        r = other(o, x)
        [p, q] = more(o);
        function k = end(o, i, n)
            k = 1;
        end
    end
    methods (Static), function s(), end, end
    events
        Changed, Done
    end
    enumeration
        red (1, 0), blue
    end
end
function helper()
end
"""


def test_class() -> None:
    text = CLASS.replace("        d@char vector\n", "        d@char\n")
    file = tree(text)
    c = file.classdef
    assert c is not None
    assert (file.kind, c.name, c.superclasses) == ("classdef", "C", ("pkg.Base", "handle"))
    assert c.help.strip() == "Its help."
    properties, more, methods, static, events, members = c.blocks
    assert isinstance(properties, ast.PropertiesBlock)
    assert [d.name for d in properties.declarations] == ["a", "b", "c", "d"]
    assert [d.class_name for d in properties.declarations] == ["", "double", "pkg.D", "char"]
    assert properties.declarations[0].help.strip() == "first"
    assert isinstance(more, ast.PropertiesBlock)
    assert [d.name for d in more.declarations] == ["e", "f"]
    assert isinstance(methods, ast.MethodsBlock)
    assert [f.name for f in methods.functions] == ["C", "get.a", "end"]
    assert [s.name for s in methods.signatures] == ["other", "more"]
    assert isinstance(static, ast.MethodsBlock)
    assert static.attributes == (ast.Attribute(c.span, "Static"),)
    assert isinstance(events, ast.EventsBlock)
    assert events.names == ("Changed", "Done")
    assert isinstance(members, ast.EnumerationBlock)
    assert [m.name for m in members.members] == ["red", "blue"]
    assert [f.name for f in file.functions] == ["helper"]
    assert parse(SourceText("p", print_file(file))).file == file


def test_nested_functions() -> None:
    (outer,) = tree("function a\n function b\n end\n b\n function c\n end\nend").functions
    assert [f.name for f in outer.functions] == ["b", "c"]
    assert len(outer.body) == 1


def test_help() -> None:
    file = tree("% before\n\nfunction f(x)\n%F  Does it.\n%   More.\n\n% not this\nx\nend")
    assert file.functions[0].help == "F  Does it.\n   More."
    assert tree("% before\nfunction f\nx").functions[0].help == " before"
    assert tree("%{\nAll of\nthis\n%}\nx = 1;").help == "All of\nthis"


def test_display_flag() -> None:
    shown, quiet, comma = tree("x = 1\ny = 2;\nz = 3, ").body
    assert [s.display for s in (shown, quiet, comma)] == [True, False, True]  # type: ignore[union-attr]


def test_spans() -> None:
    text = "x = foo(a + b, 'c');\n"
    (statement,) = tree(text).body
    assert isinstance(statement, ast.Assign)
    call = statement.value
    assert isinstance(call, ast.Index)
    assert text[slice(*call.span)] == "foo(a + b, 'c')"
    assert text[slice(*call.args[0].span)] == "a + b"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0xFF", ("uint8", 255)),
        ("0x1FFs32", ("int32", 511)),
        ("0b11111111s8", ("int8", -1)),
        ("0xFFFF_FFFF", ("uint32", 0xFFFFFFFF)),
        ("1e3", ("", 1000.0)),
        ("1d2", ("", 100.0)),
        (".5", ("", 0.5)),
        ("5.", ("", 5.0)),
        ("10_000", ("", 10000.0)),
    ],
)
def test_number(text: str, value: tuple[str, float]) -> None:
    expr, _ = parse_expression(SourceText("n", text))
    assert isinstance(expr, ast.Number)
    assert (expr.int_class, expr.value) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [(r'"a\tb\x41\101\""', 'a\tbAA"'), (r'"a\0"', "a\0"), (r'"\\\""', '\\"'), ('"a""b"', 'a"b')],
)
def test_octave_text_is_char(text: str, value: str) -> None:
    result = parse(SourceText("o", f"x = {text};"), OCTAVE)
    assert result.ok
    (statement,) = result.file.body
    assert isinstance(statement, ast.Assign)
    assert statement.value == ast.Char(statement.span, value)


def test_a_handle_behind_an_anonymous_body_is_an_element() -> None:
    text = "c = {@(x) sin(x) @(y) y};"
    assert parse(SourceText("o", text), OCTAVE).file == tree(text)


def test_a_continued_comment_needs_the_continuation() -> None:
    assert not parse(SourceText("e", "a = % why\n2;")).ok


@pytest.mark.parametrize(
    "text",
    ["a = b = 1;", "a = (b = 1);", "a = f(2, (b.c = [d = 1]) + 1);", "while (n = f()) > 0, end"],
)
def test_assignments_are_values_in_octave_alone(text: str) -> None:
    result = parse(SourceText("o", text), OCTAVE)
    assert result.ok
    assert parse(SourceText("o", print_file(result.file)), OCTAVE).file == result.file
    found = [d.message for d in parse(SourceText("m", text)).diagnostics]
    assert found[0].startswith("Incorrect use of '=' operator.")


@pytest.mark.parametrize(
    "text",
    ["v = v([~, i] = sort(v));", "while ([a, b.c] = f()) > 0, end", "x = [a, b] = size(c{[d e]});"],
)
def test_several_targets_stand_inside_expressions_in_octave_alone(text: str) -> None:
    result = parse(SourceText("o", text), OCTAVE)
    assert result.ok
    assert parse(SourceText("o", print_file(result.file)), OCTAVE).file == result.file
    assert not parse(SourceText("m", text)).ok


def test_text_of_octave_is_recognised() -> None:
    result = parse(SourceText("o", 'printf ("say \\"it\\"\\n");\n'))
    assert (result.diagnostics, result.dialect) == ((), OCTAVE)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("x = (1 + 2;\ny = 3;", ["This '(' is never closed: a ')' is missing."]),
        (
            "x = [1 2\ny = 3;\nz = 1 +;",
            ["This '[' is never closed: a ']' is missing.", "Something is missing behind '+'."],
        ),
        ("x = 1);", ["This ')' closes no bracket."]),
        ("x = ;", ["Something is missing behind '='."]),
        ("if x\ny", ["This 'if' is never closed: an 'end' is missing."]),
        ("for i = 1:3\nif x\nend", ["This 'for' is never closed: an 'end' is missing."]),
        ("x = 1;\nend\ny = 2;", ["'end' closes no block."]),
        ("else\nx", ["'else' belongs to no 'if'."]),
        ("x = 'abc\ny = 1", ["This text is not closed: a ' is missing at its end."]),
        ("f(x) + 1 = 3", ["Nothing can be assigned to what stands before '='."]),
        ("3 = x", ["A value cannot be assigned to this expression."]),
        ("x = = 3\nif y(\n z\nend\nw = )\n", None),
    ],
)
def test_error(text: str, messages: list[str] | None) -> None:
    found = [d.message for d in parse(SourceText("e", text)).diagnostics]
    if messages is None:
        assert len(found) == 3
    else:
        assert found == messages


def test_the_block_without_end_is_found_by_indentation() -> None:
    text = "while z\n  for i = 1:3\n    if x\n      y\n  end\nend\n"
    (found,) = parse(SourceText("e", text)).diagnostics
    assert text[slice(*found.span)] == "if"


def test_broken_text_has_an_outline() -> None:
    text = "function a(x\n y = 3 +;\nend\nfunction b(\n if x(\n  z = 1;\n end\nend\nfunction c\n"
    result = parse(SourceText("e", text))
    assert [f.name for f in result.file.functions][-1] == "c"
    assert len(result.file.functions) == 3
    assert result.diagnostics


def test_broken_header_keeps_its_block() -> None:
    result = parse(SourceText("e", "if x ==\n y = 1;\nend\nz = 2;"))
    assert len(result.diagnostics) == 1
    assert len(result.file.body) == 2


def test_a_class_declares_end_as_a_method_of_another_file() -> None:
    text = "classdef C\nmethods\nn = end(self, k, count)\nend(self)\ndone = ready(self)\nend\nend\n"
    (methods,) = tree(text).classdef.blocks  # type: ignore[union-attr]
    assert [s.name for s in methods.signatures] == ["end", "end", "ready"]  # type: ignore[union-attr]


def test_deep_nesting_and_long_chains() -> None:
    deep = parse(SourceText("d", "x = " + "(" * 3000 + "1" + ")" * 3000 + ";"))
    assert deep.ok
    assert parse(SourceText("d", "x = 1" + " + 1" * 20000 + ";")).ok
    assert parse(SourceText("d", "if x\n" * 500 + "end\n" * 500)).ok


def test_speed() -> None:
    """5,000 lines in less than a second; a machine under load gets three."""
    text = (
        "for k = 1:10\n  x(k) = a.b(k, end) * sin(y') + [1 -2 3](2); % note\n  hold on\nend\n"
        * 1250
    )
    began = time.process_time()
    assert parse(SourceText("s", text)).ok
    assert time.process_time() - began < 3
