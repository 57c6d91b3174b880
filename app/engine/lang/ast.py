"""The syntax tree: frozen nodes that compare without their spans.

Operators are normalised to MATLAB's spelling: ``~`` for ``!``, ``~=`` for ``!=``, ``^`` for
``**``, ``.^`` for ``.**``. Sequences are tuples. ``display`` is True when the statement has no
semicolon and shows its result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Anything in the tree; ``span`` takes no part in comparisons."""

    span: Span = field(compare=False, repr=False)


# --- expressions --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Char(Node):
    """A char row: ``'text'`` (under Octave's dialect also ``"text"``), quotes and escapes resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class String(Node):
    """A string scalar: ``"text"``."""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A variable or a function called without parentheses."""

    id: str


@dataclass(frozen=True, slots=True)
class Colon(Node):
    """The magic colon of an index: ``x(:, 1)``."""


@dataclass(frozen=True, slots=True)
class End(Node):
    """``end`` inside an index; it belongs to the innermost enclosing ``Index``/``CellIndex``
    whose base is a variable."""


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``-x``, ``+x``, ``~x``; ``op`` is one of ``- + ~``."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Postfix(Node):
    """A transpose; ``op`` is ``'`` or ``.'`` (Octave, inside expressions: also ``++ --``)."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``op`` is one of ``+ - * / \\ ^ .* ./ .\\ .^ == ~= < <= > >= & |``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class ShortCircuit(Node):
    """``op`` is ``&&`` or ``||``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``start:stop`` or ``start:step:stop``."""

    start: Expr
    stop: Expr
    step: Expr | None = None


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``base(args)``: indexing or a call. Arguments may be ``Colon`` and ``NameValueArgument``."""

    base: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CellIndex(Node):
    """``base{args}``."""

    base: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    """``base.name``; keywords are allowed as names. The last ``len(name)`` characters of the
    span are the name."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class DynamicField(Node):
    """``base.(name)`` with an expression as name."""

    base: Expr
    name: Expr


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """``[a b; c d]``; ``rows`` is empty for ``[]``."""

    rows: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, slots=True)
class CellLiteral(Node):
    """``{a, b; c, d}``; ``rows`` is empty for ``{}``."""

    rows: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A parameter or an output of a function.

    Attributes:
        name: the name; ``~`` for an ignored parameter. ``varargin``/``varargout`` are plain names.
        default: Octave's default value, or None.
    """

    name: str
    default: Expr | None = None


@dataclass(frozen=True, slots=True)
class AnonymousFunction(Node):
    """``@(x, y) body``."""

    parameters: tuple[Parameter, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class FunctionHandle(Node):
    """``@name`` or ``@pkg.name``; an Octave operator handle such as ``@plus`` is a name too."""

    name: str


@dataclass(frozen=True, slots=True)
class MetaClass(Node):
    """``?pkg.Name``."""

    name: str


@dataclass(frozen=True, slots=True)
class NameValueArgument(Node):
    """``name=value`` among call arguments: stands for the string ``"name"`` and the value."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SuperCall(Node):
    """``name@superclass``, the base of a call: ``obj@Super(args)`` in a constructor or
    ``method@Super(obj, args)`` in a method of that name, also written ``obj.method@Super(args)``."""

    name: str
    superclass: str


@dataclass(frozen=True, slots=True)
class AssignExpression(Node):
    """An assignment used as a value (Octave): ``a = b = 1``, ``while ((n = f()) > 0)``.

    ``op`` is empty for ``=`` or the operator of ``+=`` and friends.
    """

    target: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Ignored(Node):
    """``~`` among assignment targets: ``[~, i] = max(x)``."""


Expr = (
    Number | Char | String | Name | Colon | End | Unary | Postfix | Binary | ShortCircuit | Range
    | Index | CellIndex | Field | DynamicField | Matrix | CellLiteral | AnonymousFunction
    | FunctionHandle | MetaClass | NameValueArgument | SuperCall | AssignExpression | Ignored
)  # fmt: skip

# --- statements ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExpressionStatement(Node):
    """An expression on its own; assigns ``ans`` when it yields a value and is no variable."""

    expr: Expr
    display: bool = False


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """``target = value``; the target is a ``Name`` or a chain of index and field nodes on one.

    ``x(i) = []`` (deletion) is an ``Assign`` whose target is an ``Index`` and whose value is an
    empty ``Matrix``.
    """

    target: Expr
    value: Expr
    display: bool = False


@dataclass(frozen=True, slots=True)
class MultiAssign(Node):
    """``[a, b.c, ~] = value``; a target is as in ``Assign`` or ``Ignored``. Also for one target
    in brackets."""

    targets: tuple[Expr, ...]
    value: Expr
    display: bool = False


@dataclass(frozen=True, slots=True)
class OpAssign(Node):
    """``target op= value`` (``op`` is a ``Binary`` operator); ``x++`` is ``x += 1``."""

    target: Expr
    op: str
    value: Expr
    display: bool = False


@dataclass(frozen=True, slots=True)
class Command(Node):
    """Command syntax, ``name arg arg``: a call of ``name`` with char arguments."""

    name: str
    args: tuple[str, ...]
    display: bool = False


@dataclass(frozen=True, slots=True)
class ShellEscape(Node):
    """``!command`` to the end of the line."""

    command: str


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """One ``if``/``elseif`` branch."""

    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """``if``; ``orelse`` is None without an ``else``."""

    branches: tuple[Branch, ...]
    orelse: tuple[Statement, ...] | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """``for``/``parfor`` over the columns of ``iterable``; ``workers`` is parfor's second argument.

    Octave's ``for [value, key] = struct`` has a ``Matrix`` of two names as target.
    """

    target: Expr
    iterable: Expr
    body: tuple[Statement, ...]
    parallel: bool = False
    workers: Expr | None = None


@dataclass(frozen=True, slots=True)
class While(Node):
    """``while condition``."""

    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class DoUntil(Node):
    """Octave's ``do … until condition``."""

    body: tuple[Statement, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Case(Node):
    """One ``case``; a ``CellLiteral`` value matches any of its elements."""

    value: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """``switch``; ``otherwise`` is None when missing."""

    subject: Expr
    cases: tuple[Case, ...]
    otherwise: tuple[Statement, ...] | None = None


@dataclass(frozen=True, slots=True)
class Try(Node):
    """``try … catch name``; ``name`` is empty without an identifier; ``handler`` is empty
    without a ``catch``."""

    body: tuple[Statement, ...]
    name: str
    handler: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class UnwindProtect(Node):
    """Octave's ``unwind_protect … unwind_protect_cleanup``."""

    body: tuple[Statement, ...]
    cleanup: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Spmd(Node):
    """``spmd (n) … end``."""

    args: tuple[Expr, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Declared(Node):
    """A name in ``global``/``persistent``, with Octave's initial value or None."""

    name: str
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Global(Node):
    """``global a b``."""

    names: tuple[Declared, ...]


@dataclass(frozen=True, slots=True)
class Persistent(Node):
    """``persistent a b``."""

    names: tuple[Declared, ...]


@dataclass(frozen=True, slots=True)
class Import(Node):
    """``import pkg.name pkg.*``."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Break(Node):
    """``break``."""


@dataclass(frozen=True, slots=True)
class Continue(Node):
    """``continue``."""


@dataclass(frozen=True, slots=True)
class Return(Node):
    """``return``."""


Statement = (
    ExpressionStatement | Assign | MultiAssign | OpAssign | Command | ShellEscape | If | For
    | While | DoUntil | Switch | Try | UnwindProtect | Spmd | Global | Persistent | Import
    | Break | Continue | Return
)  # fmt: skip

# --- definitions --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """``Name`` or ``Name = value`` of a class, a class block or an arguments block.

    ``value`` is None for a bare name (true); ``~Name`` has the value ``Name("false")``.
    """

    name: str
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """One line of an ``arguments`` or ``properties`` block.

    Attributes:
        name: argument or property name.
        member: for ``options.Name`` the part after the dot; ``?Class`` for ``options.?Class``.
        size: dimensions (``Number`` or ``Colon``); None when not given.
        class_name: required class, such as ``double`` or ``pkg.Class``; empty when not given.
        validators: expressions in braces: ``Name`` or ``Index`` calls.
        default: default value, or None.
        help: comment after or before it.
    """

    name: str
    member: str = ""
    size: tuple[Expr, ...] | None = None
    class_name: str = ""
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    help: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ArgumentsBlock(Node):
    """``arguments (Input|Output|Repeating) … end``."""

    attributes: tuple[Attribute, ...]
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class FunctionDef(Node):
    """A function of any kind.

    Attributes:
        name: name; ``get.Prop``/``set.Prop`` for property access methods.
        inputs: parameters, a trailing ``varargin`` included.
        outputs: outputs, a trailing ``varargout`` included.
        body: statements without the ``arguments`` blocks.
        arguments: the ``arguments`` blocks.
        functions: nested functions.
        has_end: True when it is closed by ``end``.
        name_span: where the name is.
        help: its help text: comment lines after the first line (or before it) without ``%``.
    """

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    arguments: tuple[ArgumentsBlock, ...] = ()
    functions: tuple[FunctionDef, ...] = ()
    has_end: bool = field(default=True, compare=False)
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)
    help: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PropertiesBlock(Node):
    """``properties (…) … end``."""

    attributes: tuple[Attribute, ...]
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Signature(Node):
    """A method declared without a body: abstract, or defined in a file of its own."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class MethodsBlock(Node):
    """``methods (…) … end``."""

    attributes: tuple[Attribute, ...]
    functions: tuple[FunctionDef, ...]
    signatures: tuple[Signature, ...] = ()


@dataclass(frozen=True, slots=True)
class EventsBlock(Node):
    """``events (…) … end``."""

    attributes: tuple[Attribute, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnumerationMember(Node):
    """``Name`` or ``Name (args)``."""

    name: str
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class EnumerationBlock(Node):
    """``enumeration … end``."""

    attributes: tuple[Attribute, ...]
    members: tuple[EnumerationMember, ...]


ClassBlock = PropertiesBlock | MethodsBlock | EventsBlock | EnumerationBlock


@dataclass(frozen=True, slots=True)
class ClassDef(Node):
    """A class.

    Attributes:
        name: class name.
        attributes: class attributes, such as ``Abstract``.
        superclasses: dotted names.
        blocks: its blocks in source order.
        name_span: where the name is.
        help: its help text.
    """

    name: str
    attributes: tuple[Attribute, ...]
    superclasses: tuple[str, ...]
    blocks: tuple[ClassBlock, ...]
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)
    help: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class File(Node):
    """A whole text.

    Attributes:
        kind: ``script``, ``function`` or ``classdef``.
        body: statements of a script; empty otherwise.
        functions: all top-level functions: in a function file the first is the main one, the
            others are local; in a script and beside a class all are local.
        classdef: the class of a class file.
        help: the first comment block of the file.
    """

    kind: str
    body: tuple[Statement, ...]
    functions: tuple[FunctionDef, ...] = ()
    classdef: ClassDef | None = None
    help: str = field(default="", compare=False)
