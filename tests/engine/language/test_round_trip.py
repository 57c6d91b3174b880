"""``parse(print(tree)) == tree`` for generated trees, and no input breaks the parser."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.language import ast, parse
from app.engine.language.printer import print_file
from app.engine.language.printer_expr import print_expr
from app.source import SourceText, Span

AT = Span(0, 0)
NAMES = st.sampled_from(["a", "b1", "foo", "x_y", "ndims", "hold"])
FIELDS = NAMES | st.sampled_from(["end", "if", "function"])
TEXTS = st.text(st.sampled_from("ab '\"%\\{([;,."), max_size=5)
NUMBERS = st.sampled_from(["1", "2.5", ".5", "3.", "1e-3", "2i", "0xFFu8", "0b101", "7.j"])


def _number(text: str) -> ast.Expr:
    from app.engine.language.literals import number

    return number(AT, text)


ATOMS = (
    NAMES.map(lambda n: ast.Name(AT, n))
    | NUMBERS.map(_number)
    | TEXTS.map(lambda t: ast.Char(AT, t))
    | TEXTS.map(lambda t: ast.String(AT, t))
    | NAMES.map(lambda n: ast.FunctionHandle(AT, n))
    | NAMES.map(lambda n: ast.MetaClass(AT, n))
)
BINARY = st.sampled_from("+ - * / \\ ^ .* ./ .\\ .^ == ~= < <= > >= & |".split())


def _extend(expr: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    args = st.lists(
        expr
        | st.just(ast.Colon(AT))
        | st.just(ast.End(AT))
        | st.builds(lambda n, v: ast.NameValueArgument(AT, n, v), NAMES, expr),
        max_size=3,
    ).map(lambda a: tuple(sorted(a, key=lambda x: isinstance(x, ast.NameValueArgument))))
    rows = st.lists(st.lists(expr, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple)
    names = st.lists(NAMES, max_size=2, unique=True)
    parameters = names.map(lambda found: tuple(ast.Parameter(AT, n) for n in found))
    return (
        st.builds(lambda o, a, b: ast.Binary(AT, o, a, b), BINARY, expr, expr)
        | st.builds(
            lambda o, a, b: ast.ShortCircuit(AT, o, a, b), st.sampled_from(["&&", "||"]), expr, expr
        )
        | st.builds(lambda o, a: ast.Unary(AT, o, a), st.sampled_from("+-~"), expr)
        | st.builds(lambda o, a: ast.Postfix(AT, o, a), st.sampled_from(["'", ".'"]), expr)
        | st.builds(lambda a, b, c: ast.Range(AT, a, b, c), expr, expr, st.none() | expr)
        | st.builds(lambda b, a: ast.Index(AT, b, a), expr, args)
        | st.builds(lambda b, a: ast.CellIndex(AT, b, a), expr, args)
        | st.builds(lambda b, n: ast.Field(AT, b, n), expr, FIELDS)
        | st.builds(lambda b, n: ast.DynamicField(AT, b, n), expr, expr)
        | rows.map(lambda r: ast.Matrix(AT, r))
        | rows.map(lambda r: ast.CellLiteral(AT, r))
        | st.builds(lambda p, b: ast.AnonymousFunction(AT, p, b), parameters, expr)
    )


EXPRESSIONS = st.recursive(ATOMS, _extend, max_leaves=12)
TARGETS = (
    NAMES.map(lambda n: ast.Name(AT, n))
    | st.builds(lambda n, e: ast.Index(AT, ast.Name(AT, n), (e,)), NAMES, EXPRESSIONS)
    | st.builds(lambda n, f: ast.Field(AT, ast.Name(AT, n), f), NAMES, FIELDS)
)
SIMPLE = (
    st.builds(lambda e, d: ast.ExpressionStatement(AT, e, d), EXPRESSIONS, st.booleans())
    | st.builds(lambda t, e, d: ast.Assign(AT, t, e, d), TARGETS, EXPRESSIONS, st.booleans())
    | st.builds(
        lambda t, o, e: ast.OpAssign(AT, t, o, e), TARGETS, st.sampled_from("+-*/"), EXPRESSIONS
    )
    | st.builds(
        lambda t, e: ast.MultiAssign(AT, (*t, ast.Ignored(AT)), e),
        st.lists(TARGETS, max_size=2),
        EXPRESSIONS,
    )
    | st.lists(NAMES, min_size=1, max_size=3).map(lambda w: ast.Command(AT, "clear", tuple(w)))
    | st.sampled_from([ast.Break(AT), ast.Continue(AT), ast.Return(AT)])
)


def _blocks(statement: st.SearchStrategy[ast.Statement]) -> st.SearchStrategy[ast.Statement]:
    body = st.lists(statement, max_size=2).map(tuple)
    branch = st.builds(lambda c, b: ast.Branch(AT, c, b), EXPRESSIONS, body)
    case = st.builds(lambda c, b: ast.Case(AT, c, b), EXPRESSIONS, body)
    return (
        st.builds(
            lambda b, e: ast.If(AT, tuple(b), e),
            st.lists(branch, min_size=1, max_size=2),
            st.none() | body,
        )
        | st.builds(lambda t, e, b: ast.For(AT, t, e, b), TARGETS, EXPRESSIONS, body)
        | st.builds(lambda c, b: ast.While(AT, c, b), EXPRESSIONS, body)
        | st.builds(lambda b, c: ast.DoUntil(AT, b, c), body, EXPRESSIONS)
        | st.builds(
            lambda s, c, o: ast.Switch(AT, s, tuple(c), o),
            EXPRESSIONS,
            st.lists(case, max_size=2),
            st.none() | body,
        )
        | st.builds(lambda b, n, h: ast.Try(AT, b, n, h), body, NAMES | st.just(""), body)
        | st.builds(lambda b, c: ast.UnwindProtect(AT, b, c), body, body)
    )


STATEMENTS = st.recursive(SIMPLE, _blocks, max_leaves=4)
PLENTY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@PLENTY
@given(EXPRESSIONS)
def test_expression(expr: ast.Expr) -> None:
    for compact in (False, True):
        text = f"zz = {print_expr(expr, compact=compact)};"
        result = parse(SourceText("t", text))
        assert [d.message for d in result.diagnostics] == [], text
        (statement,) = result.file.body
        assert isinstance(statement, ast.Assign)
        assert statement.value == expr, text


@PLENTY
@given(st.lists(STATEMENTS, max_size=3).map(tuple))
def test_script(body: tuple[ast.Statement, ...]) -> None:
    file = ast.File(AT, "script", body)
    text = print_file(file)
    result = parse(SourceText("t", text))
    assert [d.message for d in result.diagnostics] == [], text
    assert result.file == file, text


PIECES = st.sampled_from(
    "x y1 if end for function classdef methods properties [ ] ( ) { } ' \" ; , = == ~ @ . ... : \n % "
    "%{ %} 1 2.5e case switch try catch while else elseif hold on + ++ -- += & || \\ ! ? arguments "
    "do until unwind_protect end_unwind_protect global parfor 'a' \"b\" \t endif return enumeration".split(
        " "
    )
)


@PLENTY
@given(st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=60))
def test_anything_ends(pieces: list[tuple[str, str]]) -> None:
    text = "".join(a + b for a, b in pieces)
    result = parse(SourceText("t", text))
    for d in result.diagnostics:
        assert 0 <= d.span.start <= d.span.end <= len(text)
        assert d.message


@PLENTY
@given(st.text(max_size=80))
def test_any_text_ends(text: str) -> None:
    parse(SourceText("t", text))
