"""Expressions back to text, with the parentheses they need and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.engine.language import ast
from app.engine.language.ast import Expr
from app.engine.language.tokens import OPERATORS

# How tightly an expression binds; an operand that binds less than its place needs parentheses.
ANYTHING, OR_OR, AND_AND, OR, AND, RELATION, RANGE, SUM, PRODUCT, UNARY, POWER, CHAIN = range(12)
LOWEST = -1

_LEVELS = {
    "OROR": OR_OR,
    "ANDAND": AND_AND,
    "OR": OR,
    "AND": AND,
    "RELOP": RELATION,
    "LT": RELATION,
    "ADDOP": SUM,
    "MULOP": PRODUCT,
    "POW": POWER,
}
_BINARY = {text: _LEVELS[kind] for text, kind in OPERATORS.items() if kind in _LEVELS}
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\0": "\\0"}
)


def print_expr(expr: Expr, *, compact: bool = False) -> str:
    """The text of ``expr``; ``compact`` leaves out all blanks, as MATLAB shows function handles."""
    return _Printer(compact).text(expr)


def _level(expr: Expr) -> int:
    match expr:
        case ast.Binary(op=op) | ast.ShortCircuit(op=op):
            return _BINARY[op]
        case ast.Range():
            return RANGE
        case ast.Unary():
            return UNARY
        case ast.Postfix(op=op):
            return POWER
        case ast.AnonymousFunction():
            return ANYTHING
        case ast.AssignExpression():
            return LOWEST
        case _:
            return CHAIN


class _Printer:
    def __init__(self, compact: bool) -> None:
        self.blank = "" if compact else " "
        self.comma = "," if compact else ", "
        self.row = ";" if compact else "; "

    def text(self, expr: Expr, least: int = ANYTHING) -> str:
        """The text of ``expr`` where something binds as tightly as ``least`` around it."""
        text = _METHODS[type(expr)](self, expr)
        return text if _level(expr) >= least else f"({text})"

    def number(self, expr: ast.Number) -> str:
        text = expr.text or f"{expr.value!r}{'i' if expr.imaginary else ''}"
        return f"{text}0" if text.endswith(".") else text

    def char(self, expr: ast.Char) -> str:
        if any(c in expr.value for c in "\n\r"):
            return f'"{expr.value.translate(_ESCAPES)}"'
        return "'" + expr.value.replace("'", "''") + "'"

    def string(self, expr: ast.String) -> str:
        return '"' + expr.value.replace('"', '""') + '"'

    def name(self, expr: ast.Name) -> str:
        return expr.id

    def colon(self, expr: ast.Colon) -> str:
        return ":"

    def end(self, expr: ast.End) -> str:
        return "end"

    def ignored(self, expr: ast.Ignored) -> str:
        return "~"

    def handle(self, expr: ast.FunctionHandle) -> str:
        return f"@{expr.name}"

    def meta(self, expr: ast.MetaClass) -> str:
        return f"?{expr.name}"

    def super(self, expr: ast.SuperCall) -> str:
        return f"{expr.name}@{expr.superclass}"

    def binary(self, expr: ast.Binary | ast.ShortCircuit) -> str:
        """All operators are left-associative; the left spine is walked, not recursed into."""
        parts: list[str] = []
        node: Expr = expr
        level = _level(expr)
        while isinstance(node, ast.Binary | ast.ShortCircuit) and _level(node) == level:
            right = (
                self._exponent(node.right) if level == POWER else self.text(node.right, level + 1)
            )
            parts += [right, f"{self.blank}{node.op}{self.blank}" if level != POWER else node.op]
            node = node.left
        return self.text(node, level) + "".join(reversed(parts))

    def _exponent(self, expr: Expr) -> str:
        if isinstance(expr, ast.Unary) and _level(expr.operand) >= CHAIN:
            return self.text(expr)
        return self.text(expr, CHAIN)

    def range(self, expr: ast.Range) -> str:
        parts = [expr.start, expr.stop] if expr.step is None else [expr.start, expr.step, expr.stop]
        return ":".join(self.text(part, SUM) for part in parts)

    def unary(self, expr: ast.Unary) -> str:
        signs = [expr.op]
        operand = expr.operand
        while isinstance(operand, ast.Unary):
            signs.append(operand.op)
            operand = operand.operand
        return " ".join(signs).replace("~ ~", "~~") + self.text(operand, UNARY)

    def postfix(self, expr: ast.Postfix) -> str:
        text = self.text(expr.operand, POWER)
        return f"({text}){expr.op}" if text[-1] in "'\"" and expr.op == "'" else text + expr.op

    def args(self, args: tuple[Expr, ...]) -> str:
        """Arguments between commas."""
        return self.comma.join(self.text(arg) for arg in args)

    def base(self, expr: Expr) -> str:
        """What is indexed."""
        dotted = isinstance(expr, ast.Number | ast.FunctionHandle | ast.MetaClass)
        return f"({self.text(expr)})" if dotted else self.text(expr, CHAIN)

    def index(self, expr: ast.Index) -> str:
        return f"{self.base(expr.base)}({self.args(expr.args)})"

    def cell_index(self, expr: ast.CellIndex) -> str:
        return f"{self.base(expr.base)}{{{self.args(expr.args)}}}"

    def field(self, expr: ast.Field) -> str:
        return f"{self.base(expr.base)}.{expr.name}"

    def dynamic_field(self, expr: ast.DynamicField) -> str:
        return f"{self.base(expr.base)}.({self.text(expr.name)})"

    def rows(self, rows: tuple[tuple[Expr, ...], ...]) -> str:
        """Rows of a matrix or a cell."""
        return self.row.join(self.args(row) for row in rows)

    def matrix(self, expr: ast.Matrix) -> str:
        return f"[{self.rows(expr.rows)}]"

    def cell(self, expr: ast.CellLiteral) -> str:
        return f"{{{self.rows(expr.rows)}}}"

    def anonymous(self, expr: ast.AnonymousFunction) -> str:
        inputs = self.comma.join(self.parameter(p) for p in expr.parameters)
        return f"@({inputs}){self.blank}{self.text(expr.body)}"

    def parameter(self, parameter: ast.Parameter) -> str:
        """A parameter with its default value."""
        if parameter.default is None:
            return parameter.name
        return f"{parameter.name} = {self.text(parameter.default)}"

    def named(self, expr: ast.NameValueArgument) -> str:
        return f"{expr.name}={self.text(expr.value)}"

    def assign(self, expr: ast.AssignExpression) -> str:
        target = self.text(expr.target)
        if expr.step:
            return f"{target}{expr.op * 2}" if expr.step == "before" else f"{expr.op * 2}{target}"
        return f"{target} {expr.op}= {self.text(expr.value)}"


_METHODS: dict[type, Callable[[_Printer, Any], str]] = {
    ast.Number: _Printer.number,
    ast.Char: _Printer.char,
    ast.String: _Printer.string,
    ast.Name: _Printer.name,
    ast.Colon: _Printer.colon,
    ast.End: _Printer.end,
    ast.Ignored: _Printer.ignored,
    ast.FunctionHandle: _Printer.handle,
    ast.MetaClass: _Printer.meta,
    ast.SuperCall: _Printer.super,
    ast.Binary: _Printer.binary,
    ast.ShortCircuit: _Printer.binary,
    ast.Range: _Printer.range,
    ast.Unary: _Printer.unary,
    ast.Postfix: _Printer.postfix,
    ast.Index: _Printer.index,
    ast.CellIndex: _Printer.cell_index,
    ast.Field: _Printer.field,
    ast.DynamicField: _Printer.dynamic_field,
    ast.Matrix: _Printer.matrix,
    ast.CellLiteral: _Printer.cell,
    ast.AnonymousFunction: _Printer.anonymous,
    ast.NameValueArgument: _Printer.named,
    ast.AssignExpression: _Printer.assign,
}
