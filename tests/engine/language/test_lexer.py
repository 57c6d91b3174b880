"""Each lexical rule: source text to token kinds."""

from __future__ import annotations

import pytest

from app.engine.language.lexer import tokenize
from app.engine.language.tokens import OCTAVE


def kinds(text: str) -> str:
    stream = tokenize(text)
    assert not stream.diagnostics
    return " ".join(stream.kinds).replace(" NL NL $END", "").replace(" NL $END", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # blanks between elements of brackets
        ("[1 -2]", "LBRA NUMBER COMMA ADDOP NUMBER RBRA"),
        ("[1 - 2]", "LBRA NUMBER ADDOP NUMBER RBRA"),
        ("[1 -2 + 3]", "LBRA NUMBER COMMA ADDOP NUMBER ADDOP NUMBER RBRA"),
        ("[a' b']", "LBRA NAME TRANSPOSE COMMA NAME TRANSPOSE RBRA"),
        ("[a 'b']", "LBRA NAME COMMA CHAR RBRA"),
        ("[a (1)]", "LBRA NAME COMMA LPAR NUMBER RPAR RBRA"),
        ("[f(a, 1) b]", "LBRA NAME LPAR NAME COMMA NUMBER RPAR COMMA NAME RBRA"),
        ("{a {1}}", "LBRACE NAME COMMA LBRACE NUMBER RBRACE RBRACE"),
        ("{a{1}}", "LBRACE NAME IBRACE NUMBER RBRACE RBRACE"),
        ("[a ~b]", "LBRA NAME COMMA NOT NAME RBRA"),
        ("[a ~= b]", "LBRA NAME RELOP NAME RBRA"),
        ("{@sin @cos}", "LBRACE HANDLE COMMA HANDLE RBRACE"),
        ("{@(x) x+1}", "LBRACE AT LPAR NAME RPAR NAME ADDOP NUMBER RBRACE"),
        ("[1, 2\n3]", "LBRA NUMBER COMMA NUMBER ROWSEP NUMBER RBRA"),
        ("[1;\n2]", "LBRA NUMBER ROWSEP NUMBER RBRA"),
        ("[1 ...\n2]", "LBRA NUMBER COMMA NUMBER RBRA"),
        ("[1 % one\n2]", "LBRA NUMBER ROWSEP NUMBER RBRA"),
        ("[x.y (3)]", "LBRA NAME DOT NAME COMMA LPAR NUMBER RPAR RBRA"),
        ("x(1, -2)", "NAME LPAR NUMBER COMMA ADDOP NUMBER RPAR"),
        ("x(a -1)", "NAME LPAR NAME ADDOP NUMBER RPAR"),
        ("x{end -1}", "NAME IBRACE MEND ADDOP NUMBER RBRACE"),
        # quotes
        ("x = y';", "NAME EQ NAME TRANSPOSE SEMI"),
        ("x = y '", "NAME EQ NAME TRANSPOSE"),
        ("x = 'it''s'", "NAME EQ CHAR"),
        ('x = "say ""it"""', "NAME EQ STRING"),
        ("x(1)'", "NAME LPAR NUMBER RPAR TRANSPOSE"),
        ("x.'", "NAME TRANSPOSE"),
        ("x''", "NAME TRANSPOSE TRANSPOSE"),
        ("3'", "NUMBER TRANSPOSE"),
        ("@() 'a'", "AT LPAR RPAR CHAR"),
        # numbers
        ("1:3", "NUMBER COLON NUMBER"),
        ("3.*x", "NUMBER MULOP NAME"),
        ("3.^x", "NUMBER POW NAME"),
        ("1.5e-3i", "NUMBER"),
        ("0xFFu8 + 0b101", "NUMBER ADDOP NUMBER"),
        ("[1 2...\n3]", "LBRA NUMBER COMMA NUMBER COMMA NUMBER RBRA"),
        ("10_000", "NUMBER"),
        # operators
        ("a!=b", "NAME RELOP NAME"),
        ("a**b", "NAME POW NAME"),
        ("a++b", "NAME ADDOP ADDOP NAME"),
        ("a++;", "NAME INCR SEMI"),
        ("a += 1", "NAME OPEQ NUMBER"),
        ("a -= -1", "NAME OPEQ ADDOP NUMBER"),
        ("a--1", "NAME ADDOP ADDOP NUMBER"),
        # keywords
        ("s.end", "NAME DOT NAME"),
        ("s.if.while", "NAME DOT NAME DOT NAME"),
        ("x(end)", "NAME LPAR MEND RPAR"),
        ("if x, y, end", "IF NAME COMMA NAME COMMA END"),
        ("if (x) y = 1; end", "IF LPAR NAME RPAR NL NAME EQ NUMBER SEMI END"),
        ("if x y = 3 end", "IF NAME NL NAME EQ NUMBER NL END"),
        ("if x hold on, end", "IF NAME NL COMMAND WORD COMMA END"),
        ("if x 'text', end", "IF NAME NL CHAR COMMA END"),
        ("while i<3 i=i+1; end", "WHILE NAME LT NUMBER NL NAME EQ NAME ADDOP NUMBER SEMI END"),
        ("try, x; catch e, y; end", "TRY COMMA NAME SEMI CATCH CATCHNAME COMMA NAME SEMI END"),
        ("try\ncatch disp(1)\nend", "TRY NL CATCH NAME LPAR NUMBER RPAR NL END"),
        ("properties = 3", "NAME EQ NUMBER"),
        ("do = 3", "NAME EQ NUMBER"),
        ("do\nx; until y", "DO NL NAME SEMI UNTIL NAME"),
        # continuations and comments
        ("x = 1 + ... why\n 2", "NAME EQ NUMBER ADDOP NUMBER"),
        ("x = 1 % y", "NAME EQ NUMBER"),
        ("x = 1 # y", "NAME EQ NUMBER"),
        ("%{\nx\n%{\n%}\n%}\ny", "NAME"),
        ("x %{ y\nz", "NAME NL NAME"),
        # targets
        ("[a, ~] = f", "OBRA NAME COMMA IGNORED RBRA EQ NAME"),
        ("[~, b] = f", "OBRA IGNORED COMMA NAME RBRA EQ NAME"),
        ("[a b] = f", "OBRA NAME COMMA NAME RBRA EQ NAME"),
        ("[a, b] == f", "LBRA NAME COMMA NAME RBRA RELOP NAME"),
        ("[a{[1 2]}] = f", "OBRA NAME IBRACE LBRA NUMBER COMMA NUMBER RBRA RBRACE RBRA EQ NAME"),
        # other
        ("@pkg.f", "HANDLE"),
        ("?pkg.C", "META"),
        ("o = o@pkg.S(x)", "NAME EQ SUPER LPAR NAME RPAR"),
        ("!ls -l", "SHELL"),
        ("f(Name=1)", "NAME LPAR NAME EQ NUMBER RPAR"),
    ],
)
def test_rule(text: str, expected: str) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hold on", ["on"]),
        ("ls .hidden", [".hidden"]),
        ("cd .git/hooks;", [".git/hooks"]),
        ("format long g", ["long", "g"]),
        ("load data.mat -ascii", ["data.mat", "-ascii"]),
        ("cd ..", [".."]),
        ("ls *.m", ["*.m"]),
        ("disp -5", ["-5"]),
        ("title 'my plot'", ["'my plot'"]),
        ("hold on % please", ["on"]),
        ("hold on; x", ["on"]),
        ("mytool a, b", ["a"]),
        ("minimize sum(a, b)", ["sum(a, b)"]),
        ("mytool -args {a, zeros(1, 3); b} -o x", ["-args", "{a, zeros(1, 3); b}", "-o", "x"]),
        ("mytool [1, 2](k, [3 4]), b", ["[1, 2](k, [3 4])"]),
        ("mytool {a [b", ["{a", "[b"]),
        ("warning off all", ["off", "all"]),
        ("a -b", ["-b"]),
        ("axis ...\n equal", ["equal"]),
        ("x = 1;\nhold on", ["on"]),
        ("hold = 1;\nhold on", ["on"]),
    ],
)
def test_command(text: str, words: list[str]) -> None:
    stream = tokenize(text)
    found = [
        text[s:e]
        for kind, s, e in zip(stream.kinds, stream.starts, stream.ends, strict=True)
        if kind == "WORD"
    ]
    assert found == words
    assert "COMMAND" in stream.kinds


@pytest.mark.parametrize(
    "text",
    [
        "a = b",
        "a =b",
        "a == b",
        "a (1)",
        "a - b",
        "a + 1",
        "a;",
        "a % c",
        "a .* b",
        "a && b",
        "a : b",
        "a'",
        "a ';",
        "a.b",
        "a = 1;\na -b",
        "a ...\n = 3",
        "a += 1",
        "a ++;",
        "for a = 1:3\na -b\nend",
        "function f(a)\na -b\nend",
        "[a, b] = f;\na -b",
    ],
)
def test_no_command(text: str) -> None:
    assert "COMMAND" not in tokenize(text).kinds


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("function f\nx\nfunction g\ny", 0),
        ("function f\nx\nend\nfunction g\nend", 2),
        ("function f\nfunction g\nend\nend", 2),
        ("function f\nif x, end\nfunction g\nwhile y, end", 0),
    ],
)
def test_functions_end(text: str, closed: int) -> None:
    kinds_ = tokenize(text).kinds
    assert kinds_.count("FEND") == (0 if closed else kinds_.count("FUNCTION"))


def test_octave_strings() -> None:
    stream = tokenize(r'x = "a\"b";', OCTAVE)
    assert stream.kinds[:4] == ["NAME", "EQ", "STRING", "SEMI"]


def test_octave_keeps_blanks_in_anonymous_bodies() -> None:
    assert tokenize("{@(x) f (x), 1}", OCTAVE).kinds.count("COMMA") == 1
    assert tokenize("{@(x) f (x), 1}").kinds.count("COMMA") == 2


@pytest.mark.parametrize("text", ["x = 'abc", 'x = "abc', "x = $"])
def test_unreadable(text: str) -> None:
    stream = tokenize(text)
    assert len(stream.diagnostics) == 1
    assert stream.diagnostics[0].span.start == 4
