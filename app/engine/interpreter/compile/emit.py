"""Small constructors of Python syntax nodes, each placed at the MATLAB source being compiled.

Names the generated code uses for itself cannot collide with MATLAB names: helpers of ``support``
begin with ``@``, temporaries with ``#`` and a link to a function ends in ``()``. Python accepts any
text as an identifier in a syntax tree.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from app.source import SourceText, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RESERVED = frozenset(("None", "True", "False", "__debug__", "__builtins__"))
"""The only texts Python refuses as names."""


class Code(NamedTuple):
    """A compiled expression.

    Attributes:
        expr: the Python expression.
        kind: ``F`` when its value is certainly a float, ``B`` certainly a bool, else empty.
        simple: True when it can be evaluated twice (a name or a constant).
    """

    expr: ast.expr
    kind: str = ""
    simple: bool = False


def python_name(name: str) -> str:
    """The Python name of a MATLAB variable."""
    return f"#{name}" if name in RESERVED else name


class Emitter:
    """Builds Python nodes at a current position and hands out temporaries."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.line = 1
        self.column = 0
        self.end_line = 1
        self.end_column = 0
        self.temporaries = 0
        self.used: list[str] = []

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Place the nodes made inside at ``span``."""
        saved = self.line, self.column, self.end_line, self.end_column
        self.place(span)
        try:
            yield
        finally:
            self.line, self.column, self.end_line, self.end_column = saved

    def place(self, span: Span) -> None:
        """Place the nodes made from now on at ``span``."""
        starts = self.source.line_starts
        self.line = self.source.line_of(span.start)
        self.column = span.start - starts[self.line - 1]
        self.end_line = self.line
        if self.line < len(starts) and span.end > starts[self.line]:
            self.end_line = self.source.line_of(span.end)
        self.end_column = max(0, span.end - starts[self.end_line - 1])

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Place the nodes made inside where the current place begins, with no extent.

        What has no extent is no step of the debugger and no place of a breakpoint.
        """
        saved = self.end_line, self.end_column
        self.end_line, self.end_column = self.line, self.column
        try:
            yield
        finally:
            self.end_line, self.end_column = saved

    def temporary(self) -> str:
        """A fresh temporary; it is cleared after the statement so that it owns nothing."""
        self.temporaries += 1
        name = f"#{self.temporaries}"
        self.used.append(name)
        return name

    # --- expressions ---

    def where(self) -> dict[str, Any]:
        """The current place as keyword arguments of a node."""
        return {
            "lineno": self.line,
            "col_offset": self.column,
            "end_lineno": self.end_line,
            "end_col_offset": self.end_column,
        }

    def parameter(self, name: str) -> ast.arg:
        """A parameter of a Python function."""
        return ast.arg(name, None, **self.where())

    def matlab_signature(self, names: Sequence[str]) -> ast.arguments:
        """``(a=None, b=None, *rest, nargout=1)``: None means not given, and ``~`` is ignored."""
        args = [
            self.parameter(python_name(n) if n != "~" else f"#ignored{i}")
            for i, n in enumerate(names)
        ]
        defaults: list[ast.expr] = [self.const(None) for _ in args]
        rest, nargout = self.parameter("#rest"), self.parameter("nargout")
        return ast.arguments([], args, rest, [nargout], [self.const(1)], None, defaults)

    def name(self, name: str) -> ast.Name:
        """Read a Python variable."""
        return ast.Name(
            name,
            ast.Load(),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def target(self, name: str) -> ast.Name:
        """A Python variable as the target of an assignment."""
        return ast.Name(
            name,
            ast.Store(),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def const(self, value: object) -> ast.Constant:
        """A Python constant."""
        return ast.Constant(
            value,  # type: ignore[arg-type]
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def call(
        self, function: str | ast.expr, *args: ast.expr, nargout: ast.expr | None = None
    ) -> ast.Call:
        """Call a helper (by name) or an expression."""
        callee = self.name(function) if isinstance(function, str) else function
        keywords = [] if nargout is None else [self.keyword("nargout", nargout)]
        return ast.Call(
            callee,
            list(args),
            keywords,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def attribute(self, value: ast.expr, name: str) -> ast.Attribute:
        """``value.name``, on one line: Python places an attribute where its text ends."""
        with self.unseen():
            return ast.Attribute(value, name, ast.Load(), **self.where())

    def keyword(self, name: str, value: ast.expr) -> ast.keyword:
        """A keyword argument."""
        return ast.keyword(
            name,
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def choose(self, test: ast.expr, then: ast.expr, other: ast.expr) -> ast.IfExp:
        """``then if test else other``."""
        return ast.IfExp(
            test,
            then,
            other,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.BinOp:
        """Python arithmetic."""
        return ast.BinOp(
            left,
            op,
            right,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def unary(self, op: ast.unaryop, operand: ast.expr) -> ast.UnaryOp:
        """A Python unary operator."""
        return ast.UnaryOp(
            op,
            operand,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.Compare:
        """A Python comparison."""
        return ast.Compare(
            left,
            [op],
            [right],
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def both(self, *tests: ast.expr) -> ast.expr:
        """``a and b and …``."""
        return self._bool(ast.And(), tests)

    def either(self, *tests: ast.expr) -> ast.expr:
        """``a or b or …``."""
        return self._bool(ast.Or(), tests)

    def _bool(self, op: ast.boolop, tests: tuple[ast.expr, ...]) -> ast.expr:
        if len(tests) == 1:
            return tests[0]
        return ast.BoolOp(
            op,
            list(tests),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def walrus(self, name: str, value: ast.expr) -> ast.NamedExpr:
        """``(name := value)``."""
        return ast.NamedExpr(
            self.target(name),
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def tuple(self, items: list[ast.expr]) -> ast.Tuple:
        """A Python tuple."""
        return ast.Tuple(
            items,
            ast.Load(),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def star(self, value: ast.expr) -> ast.Starred:
        """``*value``."""
        return ast.Starred(
            value,
            ast.Load(),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def item(self, base: ast.expr, key: ast.expr, store: bool = False) -> ast.Subscript:
        """``base[key]``."""
        return ast.Subscript(
            base,
            key,
            ast.Store() if store else ast.Load(),
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def lambda_(self, body: ast.expr, *parameters: str) -> ast.Lambda:
        """``lambda parameters: body``."""
        named = [ast.arg(name, lineno=self.line, col_offset=self.column) for name in parameters]
        return ast.Lambda(
            ast.arguments([], named, None, [], [], None, []),
            body,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def type_is(self, value: ast.expr, type_name: str) -> ast.expr:
        """``type(value) is type_name``."""
        return self.compare(self.call("@type", value), ast.Is(), self.name(type_name))

    def is_none(self, value: ast.expr) -> ast.expr:
        """``value is None``."""
        return self.compare(value, ast.Is(), self.const(None))

    def is_set(self, value: ast.expr) -> ast.expr:
        """``value is not None``."""
        return self.compare(value, ast.IsNot(), self.const(None))

    # --- statements ---

    def assign(self, target: ast.expr, value: ast.expr) -> ast.stmt:
        """``target = value``."""
        return ast.Assign(
            [target],
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def assign_all(self, names: list[str], value: ast.expr) -> ast.stmt:
        """``a = b = value``."""
        targets: list[ast.expr] = [self.target(n) for n in names]
        return ast.Assign(
            targets,
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def run(self, value: ast.expr) -> ast.stmt:
        """An expression as a statement."""
        return ast.Expr(
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def when(self, test: ast.expr, then: list[ast.stmt], other: list[ast.stmt]) -> ast.stmt:
        """``if test: then else: other``."""
        return ast.If(
            test,
            then or [self.nothing()],
            other,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def nothing(self) -> ast.stmt:
        """``pass``."""
        return ast.Pass(
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )

    def give(self, value: ast.expr | None) -> ast.stmt:
        """``return value``."""
        return ast.Return(
            value,
            lineno=self.line,
            col_offset=self.column,
            end_lineno=self.end_line,
            end_col_offset=self.end_column,
        )
