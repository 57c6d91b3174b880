"""Nodes of expressions, and the base of all nodes."""

from __future__ import annotations

from dataclasses import field

from app.records import record
from app.source import Span


@record
class Node:
    """Anything in the tree; ``span`` takes no part in comparisons."""

    span: Span = field(compare=False, repr=False)


@record
class Number(Node):
    """A numeric literal: ``3``, ``1e-3``, ``2i``, ``0xFFu8``.

    Attributes:
        value: a float, or an int when ``int_class`` is set.
        imaginary: True for ``2i`` (``value`` is then the imaginary part).
        int_class: class of a hex or binary literal such as ``uint8``; empty for double.
        text: the literal as written.
    """

    value: float | int
    imaginary: bool = False
    int_class: str = ""
    text: str = field(default="", compare=False)


@record
class Char(Node):
    """A char row: ``'text'`` (in Octave's dialect also ``"text"``), quotes and escapes resolved."""

    value: str


@record
class String(Node):
    """A string scalar: ``"text"``."""

    value: str


@record
class Name(Node):
    """A variable or a function called without parentheses."""

    id: str


@record
class Colon(Node):
    """The magic colon of an index: ``x(:, 1)``."""


@record
class End(Node):
    """``end`` inside an index; it belongs to the innermost enclosing ``Index``/``CellIndex``
    whose base is a variable."""


@record
class Unary(Node):
    """``-x``, ``+x``, ``~x``; ``op`` is one of ``- + ~``."""

    op: str
    operand: Expr


@record
class Postfix(Node):
    """A transpose; ``op`` is ``'`` or ``.'`` (Octave, inside expressions: also ``++ --``)."""

    op: str
    operand: Expr


@record
class Binary(Node):
    """``op`` is one of ``+ - * / \\ ^ .* ./ .\\ .^ == ~= < <= > >= & |``."""

    op: str
    left: Expr
    right: Expr


@record
class ShortCircuit(Node):
    """``op`` is ``&&`` or ``||``."""

    op: str
    left: Expr
    right: Expr


@record
class Range(Node):
    """``start:stop`` or ``start:step:stop``."""

    start: Expr
    stop: Expr
    step: Expr | None = None


@record
class Index(Node):
    """``base(args)``: indexing or a call. Arguments may be ``Colon`` and ``NameValueArgument``."""

    base: Expr
    args: tuple[Expr, ...]


@record
class CellIndex(Node):
    """``base{args}``."""

    base: Expr
    args: tuple[Expr, ...]


@record
class Field(Node):
    """``base.name``; keywords are allowed as names. The last ``len(name)`` characters of the
    span are the name."""

    base: Expr
    name: str


@record
class DynamicField(Node):
    """``base.(name)`` with an expression as name."""

    base: Expr
    name: Expr


@record
class Matrix(Node):
    """``[a b; c d]``; ``rows`` is empty for ``[]``."""

    rows: tuple[tuple[Expr, ...], ...]


@record
class CellLiteral(Node):
    """``{a, b; c, d}``; ``rows`` is empty for ``{}``."""

    rows: tuple[tuple[Expr, ...], ...]


@record
class Parameter(Node):
    """A parameter or an output of a function.

    Attributes:
        name: the name; ``~`` for an ignored parameter. ``varargin``/``varargout`` are plain names.
        default: Octave's default value, or None.
    """

    name: str
    default: Expr | None = None


@record
class AnonymousFunction(Node):
    """``@(x, y) body``."""

    parameters: tuple[Parameter, ...]
    body: Expr


@record
class FunctionHandle(Node):
    """``@name`` or ``@pkg.name``; an Octave operator handle such as ``@plus`` is a name too."""

    name: str


@record
class MetaClass(Node):
    """``?pkg.Name``."""

    name: str


@record
class NameValueArgument(Node):
    """``name=value`` among call arguments: stands for the string ``"name"`` and the value."""

    name: str
    value: Expr


@record
class SuperCall(Node):
    """``name@superclass``, the base of a call: ``obj@Super(args)`` in a constructor or
    ``method@Super(obj, args)`` in a method of that name (or ``obj.method@Super(args)``)."""

    name: str
    superclass: str


@record
class AssignExpression(Node):
    """An assignment used as a value (Octave): ``a = b = 1``, ``while ((n = f()) > 0)``.

    ``op`` is empty for ``=`` or the operator of ``+=`` and friends; ``step`` is "before" for
    ``x++``, whose value is what the target was, and "after" for ``++x``.
    """

    target: Expr
    op: str
    value: Expr
    step: str = ""


@record
class Ignored(Node):
    """``~`` among assignment targets: ``[~, i] = max(x)``."""


Expr = (
    Number
    | Char
    | String
    | Name
    | Colon
    | End
    | Unary
    | Postfix
    | Binary
    | ShortCircuit
    | Range
    | Index
    | CellIndex
    | Field
    | DynamicField
    | Matrix
    | CellLiteral
    | AnonymousFunction
    | FunctionHandle
    | MetaClass
    | NameValueArgument
    | SuperCall
    | AssignExpression
    | Ignored
)
