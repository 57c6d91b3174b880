"""Actions of expressions: each method makes one node."""

from __future__ import annotations

from app.engine.language import ast, literals
from app.engine.language.actions.tokens_text import TokenText
from app.engine.language.ast import Expr
from app.engine.language.diagnostics import comparison_fix
from app.engine.language.tokens import CANONICAL, MATLAB, operator_of
from app.source import Span

TARGETS = (ast.Name, ast.Index, ast.CellIndex, ast.Field, ast.DynamicField)


class ExpressionActions:
    """Makes expression nodes."""

    def __init__(self, tokens: TokenText) -> None:
        self.tokens = tokens
        self.starts, self.ends = tokens.starts, tokens.ends

    # --- literals and names ----------------------------------------------------------------------

    def name(self, token: int) -> Expr:
        """``NAME``."""
        start, end = self.starts[token], self.ends[token]
        return ast.Name(Span(start, end), self.tokens.text[start:end])

    def number(self, token: int) -> Expr:
        """``NUMBER``."""
        start, end = self.starts[token], self.ends[token]
        return literals.number(Span(start, end), self.tokens.text[start:end])

    def char(self, token: int) -> Expr:
        """``CHAR``."""
        return ast.Char(self.tokens.span(token), self.tokens.word(token)[1:-1].replace("''", "'"))

    def string(self, token: int) -> Expr:
        """``STRING``."""
        text = self.tokens.word(token)[1:-1]
        if self.tokens.dialect is MATLAB:
            return ast.String(self.tokens.span(token), text.replace('""', '"'))
        return ast.Char(self.tokens.span(token), literals.unescape(text))

    def handle(self, token: int) -> Expr:
        """``HANDLE``."""
        return ast.FunctionHandle(
            self.tokens.span(token), self.tokens.word(token).split()[-1].lstrip("@")
        )

    def meta(self, token: int) -> Expr:
        """``META``."""
        return ast.MetaClass(self.tokens.span(token), self.tokens.word(token)[1:])

    def super(self, token: int) -> Expr:
        """``SUPER``."""
        name, _, superclass = self.tokens.word(token).partition("@")
        return ast.SuperCall(self.tokens.span(token), name.rstrip(), superclass.split()[-1])

    def end(self, token: int) -> Expr:
        """``MEND``."""
        return ast.End(self.tokens.span(token))

    def colon(self, token: int) -> Expr:
        """``COLON``."""
        return ast.Colon(self.tokens.span(token))

    def matrix(self, left: int, rows: list[list[Expr]], right: int) -> Expr:
        """``LBRA rows RBRA``."""
        return ast.Matrix(self.tokens.between(left, right), _rows(rows))

    def cell(self, left: int, rows: list[list[Expr]], right: int) -> Expr:
        """``LBRACE rows RBRACE``."""
        return ast.CellLiteral(self.tokens.between(left, right), _rows(rows))

    # --- operators -------------------------------------------------------------------------------

    def binary(self, left: Expr, operator: int, right: Expr) -> Expr:
        """``or OR and``."""
        op = self.tokens.text[self.starts[operator] : self.ends[operator]]
        op = CANONICAL.get(op, op)
        return ast.Binary(Span(left.span[0], right.span[1]), op, left, right)

    def short_circuit(self, left: Expr, operator: int, right: Expr) -> Expr:
        """``oror OROR andand``."""
        span = Span(left.span[0], right.span[1])
        return ast.ShortCircuit(span, self.tokens.word(operator), left, right)

    def unary(self, operator: int, operand: Expr) -> Expr:
        """``ADDOP unary``."""
        op = self.tokens.word(operator)
        return ast.Unary(
            Span(self.starts[operator], operand.span[1]), CANONICAL.get(op, op), operand
        )

    def postfix(self, operand: Expr, operator: int) -> Expr:
        """``power TRANSPOSE``."""
        span = Span(operand.span[0], self.ends[operator])
        return ast.Postfix(span, self.tokens.word(operator), operand)

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
                self.tokens.problem(
                    late.span, "Only name=value arguments may follow the first of them."
                )
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
        return ast.Field(Span(base.span[0], self.ends[name]), base, self.tokens.word(name))

    def dynamic_field(self, base: Expr, dot: int, left: int, name: Expr, right: int) -> Expr:
        """``power DOT LPAR expr RPAR``."""
        return ast.DynamicField(Span(base.span[0], self.ends[right]), base, name)

    def named_argument(self, target: Expr, equals: int, value: Expr) -> Expr:
        """``power EQ expr``."""
        span = Span(target.span[0], value.span[1])
        if isinstance(target, ast.Name) and self.tokens.dialect is MATLAB:
            return ast.NameValueArgument(span, target.id, value)
        return self._assigned(target, value)

    # --- assignments as values -------------------------------------------------------------------

    def target(self, expr: Expr) -> Expr:
        """``expr`` as the target of an assignment; reports one that cannot be assigned to."""
        base = expr
        while isinstance(base, TARGETS) and not isinstance(base, ast.Name):
            base = base.base
        if not isinstance(base, ast.Name):
            self.tokens.problem(expr.span, "A value cannot be assigned to this expression.")
        return expr

    def assign_expression(self, target: Expr, equals: int, value: Expr) -> Expr:
        """``power EQ rhs``."""
        return self._assigned(target, value)

    def _assigned(self, target: Expr, value: Expr) -> Expr:
        """An assignment that stands for its value, which is a mistake where it is not Octave's."""
        span = Span(target.span[0], value.span[1])
        if self.tokens.dialect is MATLAB:
            text = (
                "Incorrect use of '=' operator. Assign a value to a variable using '=' and "
                "compare values for equality using '=='."
            )
            fix = comparison_fix(self.tokens.text, target.span, value.span)
            self.tokens.problem(span, text, fix)
        return ast.AssignExpression(span, self.target(target), "", value)

    def multi_assign_expression(
        self, left: int, targets: list[Expr], right: int, equals: int, value: Expr
    ) -> Expr:
        """``OBRA outs RBRA EQ rhs``."""
        target = ast.Matrix(self.tokens.between(left, right), (tuple(targets),))
        return ast.AssignExpression(Span(self.starts[left], value.span[1]), target, "", value)

    def op_assign_expression(self, target: Expr, operator: int, value: Expr) -> Expr:
        """``power OPEQ rhs``."""
        span = Span(target.span[0], value.span[1])
        return ast.AssignExpression(
            span, self.target(target), operator_of(self.tokens.word(operator)), value
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
        return ast.AnonymousFunction(span, self.tokens.distinct(parameters), body)

    def parameter(self, token: int) -> ast.Parameter:
        """``NAME``."""
        return ast.Parameter(self.tokens.span(token), self.tokens.word(token))

    def parameter_ignored(self, token: int) -> ast.Parameter:
        """``NOT``."""
        return ast.Parameter(self.tokens.span(token), "~")

    def parameter_default(self, token: int, equals: int, value: Expr) -> ast.Parameter:
        """``NAME EQ expr``."""
        span = Span(self.starts[token], value.span[1])
        return ast.Parameter(span, self.tokens.word(token), value)


def stepped(actions: ExpressionActions, first: Expr | int, second: Expr | int) -> Expr:
    """The assignment that ``x++`` or ``++x`` is."""
    if isinstance(first, int):
        assert not isinstance(second, int)
        target, token, step = second, first, "after"
        span = Span(actions.starts[token], target.span[1])
    else:
        assert isinstance(second, int)
        target, token, step = first, second, "before"
        span = Span(target.span[0], actions.ends[token])
    one = ast.Number(span, 1.0, text="1")
    return ast.AssignExpression(
        span, actions.target(target), actions.tokens.word(token)[0], one, step
    )


def _rows(rows: list[list[Expr]]) -> tuple[tuple[Expr, ...], ...]:
    return tuple(tuple(row) for row in rows if row)
