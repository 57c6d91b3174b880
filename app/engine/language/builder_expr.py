"""The grammar's actions for expressions: each method makes one node.

Symbols arrive as they were shifted: a token is its index, anything else what its method returned.
"""

from __future__ import annotations

from typing import Any

from app.engine.language import ast, literals
from app.engine.language.ast import Expr
from app.engine.language.diagnostics import Diagnostic, Severity
from app.engine.language.tokens import CANONICAL, MATLAB, Dialect, TokenStream, operator_of
from app.source import Span

TARGETS = (ast.Name, ast.Index, ast.CellIndex, ast.Field, ast.DynamicField)


class ExpressionBuilder:
    """Makes expression nodes from the tokens of ``text``."""

    def __init__(self, text: str, stream: TokenStream, dialect: Dialect) -> None:
        self.text = text
        self.stream = stream
        self.starts, self.ends = stream.starts, stream.ends
        self.dialect = dialect

    def word(self, token: int) -> str:
        """The text of a token."""
        return self.text[self.starts[token] : self.ends[token]]

    def span(self, token: int) -> Span:
        """The place of a token."""
        return Span(self.starts[token], self.ends[token])

    def problem(self, span: Span, message: str) -> None:
        """Report a construct that parses but means nothing."""
        self.stream.diagnostics.append(Diagnostic(span, Severity.ERROR, "syntax", message))

    # --- lists and what merely hands on --------------------------------------------------------

    @staticmethod
    def empty(*brackets: int) -> list[Any]:
        """A new list."""
        return []

    @staticmethod
    def empty_row(comma: int) -> list[Any]:
        """A row without elements."""
        return []

    @staticmethod
    def none() -> None:
        """Something optional that is missing."""

    @staticmethod
    def one(item: Any) -> list[Any]:
        """A list of one."""
        return [item]

    @staticmethod
    def first(item: Any, *rest: Any) -> Any:
        """The first symbol alone matters."""
        return item

    @staticmethod
    def second(left: int, item: Any, right: int = 0) -> Any:
        """What stands behind or between tokens."""
        return item

    @staticmethod
    def second_one(left: int, item: Any) -> list[Any]:
        """A list of what stands behind a token."""
        return [item]

    @staticmethod
    def append(items: list[Any], item: Any, *rest: Any) -> list[Any]:
        """One more item."""
        items.append(item)
        return items

    @staticmethod
    def append_third(items: list[Any], separator: int, item: Any) -> list[Any]:
        """One more item behind a separator."""
        items.append(item)
        return items

    # --- literals and names ----------------------------------------------------------------------

    def name(self, token: int) -> Expr:
        """``NAME``."""
        start, end = self.starts[token], self.ends[token]
        return ast.Name(Span(start, end), self.text[start:end])

    def number(self, token: int) -> Expr:
        """``NUMBER``."""
        start, end = self.starts[token], self.ends[token]
        return literals.number(Span(start, end), self.text[start:end])

    def char(self, token: int) -> Expr:
        """``CHAR``."""
        return ast.Char(self.span(token), self.word(token)[1:-1].replace("''", "'"))

    def string(self, token: int) -> Expr:
        """``STRING``."""
        text = self.word(token)[1:-1]
        if self.dialect is MATLAB:
            return ast.String(self.span(token), text.replace('""', '"'))
        return ast.Char(self.span(token), literals.unescape(text))

    def handle(self, token: int) -> Expr:
        """``HANDLE``."""
        return ast.FunctionHandle(self.span(token), self.word(token)[1:].strip())

    def meta(self, token: int) -> Expr:
        """``META``."""
        return ast.MetaClass(self.span(token), self.word(token)[1:])

    def super(self, token: int) -> Expr:
        """``SUPER``."""
        name, _, superclass = self.word(token).partition("@")
        return ast.SuperCall(self.span(token), name, superclass.strip())

    def end(self, token: int) -> Expr:
        """``MEND``."""
        return ast.End(self.span(token))

    def colon(self, token: int) -> Expr:
        """``COLON``."""
        return ast.Colon(self.span(token))

    def matrix(self, left: int, rows: list[list[Expr]], right: int) -> Expr:
        """``LBRA rows RBRA``."""
        return ast.Matrix(self._between(left, right), _rows(rows))

    def cell(self, left: int, rows: list[list[Expr]], right: int) -> Expr:
        """``LBRACE rows RBRACE``."""
        return ast.CellLiteral(self._between(left, right), _rows(rows))

    def _between(self, left: int, right: int) -> Span:
        return Span(self.starts[left], self.ends[right])

    # --- operators -------------------------------------------------------------------------------

    def binary(self, left: Expr, operator: int, right: Expr) -> Expr:
        """``or OR and``."""
        op = self.text[self.starts[operator] : self.ends[operator]]
        op = CANONICAL.get(op, op)
        return ast.Binary(Span(left.span[0], right.span[1]), op, left, right)

    def short_circuit(self, left: Expr, operator: int, right: Expr) -> Expr:
        """``oror OROR andand``."""
        span = Span(left.span[0], right.span[1])
        return ast.ShortCircuit(span, self.word(operator), left, right)

    def unary(self, operator: int, operand: Expr) -> Expr:
        """``ADDOP unary``."""
        op = self.word(operator)
        return ast.Unary(
            Span(self.starts[operator], operand.span[1]), CANONICAL.get(op, op), operand
        )

    def postfix(self, operand: Expr, operator: int) -> Expr:
        """``power TRANSPOSE``."""
        span = Span(operand.span[0], self.ends[operator])
        return ast.Postfix(span, self.word(operator), operand)

    @staticmethod
    def bounds(start: Expr, colon: int, stop: Expr) -> list[Expr]:
        """The parts of a range."""
        return [start, stop]

    def range(self, parts: list[Expr]) -> Expr:
        """``a:b``, ``a:b:c``, and ``a:b:c:d``, which is ``(a:b:c):d``."""
        start, *rest = parts
        while rest:
            *step, stop = rest[:2]
            span = Span(start.span[0], stop.span[1])
            start = ast.Range(span, start, stop, step[0] if step else None)
            del rest[:2]
        return start

    def increment(self, first: Expr | int, second: Expr | int) -> Expr:
        """``power INCR`` or ``INCR power``: ``x++`` is what x was before."""
        return stepped(self, first, second)

    def super_method(self, base: Expr, dot: int, token: int, *brackets: int) -> Expr:
        """``obj.method@Super()`` is ``method@Super(obj)``."""
        return self.super_method_args(base, dot, token, 0, [], brackets[-1] if brackets else token)

    def super_method_args(
        self, base: Expr, dot: int, token: int, left: int, args: list[Expr], right: int
    ) -> Expr:
        """``obj.method@Super(args)`` is ``method@Super(obj, args)``."""
        span = Span(base.span[0], self.ends[right])
        return ast.Index(span, self.super(token), (base, *args))

    # --- indexing and calls ----------------------------------------------------------------------

    def index(self, base: Expr, left: int, args: list[Expr], right: int) -> Expr:
        """``power LPAR args RPAR``."""
        if isinstance(args[0], ast.NameValueArgument):
            late = next((a for a in args if not isinstance(a, ast.NameValueArgument)), None)
            if late is not None:
                self.problem(late.span, "Only name=value arguments may follow the first of them.")
        return ast.Index(Span(base.span[0], self.ends[right]), base, tuple(args))

    def call(self, base: Expr, left: int, right: int) -> Expr:
        """``power LPAR RPAR``."""
        return ast.Index(Span(base.span[0], self.ends[right]), base, ())

    def cell_index(self, base: Expr, left: int, args: list[Expr], right: int) -> Expr:
        """``power IBRACE args RBRACE``."""
        return ast.CellIndex(Span(base.span[0], self.ends[right]), base, tuple(args))

    def cell_call(self, base: Expr, left: int, right: int) -> Expr:
        """``power IBRACE RBRACE``."""
        return ast.CellIndex(Span(base.span[0], self.ends[right]), base, ())

    def field(self, base: Expr, dot: int, name: int) -> Expr:
        """``power DOT NAME``."""
        return ast.Field(Span(base.span[0], self.ends[name]), base, self.word(name))

    def dynamic_field(self, base: Expr, dot: int, left: int, name: Expr, right: int) -> Expr:
        """``power DOT LPAR expr RPAR``."""
        return ast.DynamicField(Span(base.span[0], self.ends[right]), base, name)

    def named_argument(self, target: Expr, equals: int, value: Expr) -> Expr:
        """``power EQ expr``."""
        span = Span(target.span[0], value.span[1])
        if isinstance(target, ast.Name) and self.dialect is MATLAB:
            return ast.NameValueArgument(span, target.id, value)
        return ast.AssignExpression(span, self.target(target), "", value)

    # --- assignments as values -------------------------------------------------------------------

    def target(self, expr: Expr) -> Expr:
        """``expr`` as the target of an assignment; reports one that cannot be assigned to."""
        base = expr
        while isinstance(base, TARGETS) and not isinstance(base, ast.Name):
            base = base.base
        if not isinstance(base, ast.Name):
            self.problem(expr.span, "A value cannot be assigned to this expression.")
        return expr

    def assign_expression(self, target: Expr, equals: int, value: Expr) -> Expr:
        """``power EQ rhs``."""
        span = Span(target.span[0], value.span[1])
        return ast.AssignExpression(span, self.target(target), "", value)

    def op_assign_expression(self, target: Expr, operator: int, value: Expr) -> Expr:
        """``power OPEQ rhs``."""
        span = Span(target.span[0], value.span[1])
        return ast.AssignExpression(
            span, self.target(target), operator_of(self.word(operator)), value
        )

    # --- anonymous functions ---------------------------------------------------------------------

    def anonymous(self, at: int, left: int, right: int, body: Expr) -> Expr:
        """``AT LPAR RPAR expr``."""
        return ast.AnonymousFunction(Span(self.starts[at], body.span[1]), (), body)

    def anonymous_params(
        self, at: int, left: int, parameters: list[ast.Parameter], right: int, body: Expr
    ) -> Expr:
        """``AT LPAR params RPAR expr``."""
        span = Span(self.starts[at], body.span[1])
        return ast.AnonymousFunction(span, tuple(parameters), body)

    def parameter(self, token: int) -> ast.Parameter:
        """``NAME``."""
        return ast.Parameter(self.span(token), self.word(token))

    def parameter_ignored(self, token: int) -> ast.Parameter:
        """``NOT``."""
        return ast.Parameter(self.span(token), "~")

    def parameter_default(self, token: int, equals: int, value: Expr) -> ast.Parameter:
        """``NAME EQ expr``."""
        span = Span(self.starts[token], value.span[1])
        return ast.Parameter(span, self.word(token), value)


def stepped(builder: ExpressionBuilder, first: Expr | int, second: Expr | int) -> Expr:
    """The assignment that ``x++`` or ``++x`` is."""
    if isinstance(first, int):
        assert not isinstance(second, int)
        target, token, step = second, first, "after"
        span = Span(builder.starts[token], target.span[1])
    else:
        assert isinstance(second, int)
        target, token, step = first, second, "before"
        span = Span(target.span[0], builder.ends[token])
    one = ast.Number(span, 1.0, text="1")
    return ast.AssignExpression(span, builder.target(target), builder.word(token)[0], one, step)


def _rows(rows: list[list[Expr]]) -> tuple[tuple[Expr, ...], ...]:
    return tuple(tuple(row) for row in rows if row)
