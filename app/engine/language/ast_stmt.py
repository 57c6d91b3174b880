"""Nodes of statements."""

from __future__ import annotations

from dataclasses import field

from app.engine.language.ast_expr import Expr, Node
from app.records import record
from app.source import Span


@record
class ExpressionStatement(Node):
    """An expression on its own; assigns ``ans`` when it yields a value and is no variable."""

    expr: Expr
    display: bool = False


@record
class Assign(Node):
    """``target = value``; the target is a ``Name`` or a chain of index and field nodes on one.

    ``x(i) = []`` (deletion) is an ``Assign`` whose target is an ``Index`` and whose value is an
    empty ``Matrix``.
    """

    target: Expr
    value: Expr
    display: bool = False


@record
class MultiAssign(Node):
    """``[a, b.c, ~] = value``; a target is as in ``Assign`` or ``Ignored``. Also for one target
    in brackets."""

    targets: tuple[Expr, ...]
    value: Expr
    display: bool = False


@record
class OpAssign(Node):
    """``target op= value`` (``op`` is a ``Binary`` operator); ``x++`` is ``x += 1``."""

    target: Expr
    op: str
    value: Expr
    display: bool = False


@record
class Command(Node):
    """Command syntax, ``name arg arg``: a call of ``name`` with char arguments."""

    name: str
    args: tuple[str, ...]
    display: bool = False


@record
class ShellEscape(Node):
    """``!command`` to the end of the line."""

    command: str


@record
class Branch(Node):
    """One ``if``/``elseif`` branch."""

    condition: Expr
    body: tuple[Statement, ...]


@record
class If(Node):
    """``if``; ``orelse`` is None without an ``else``."""

    branches: tuple[Branch, ...]
    orelse: tuple[Statement, ...] | None = None


@record
class For(Node):
    """``for``/``parfor`` over the columns of ``iterable``; ``workers`` is parfor's second part.

    Octave's ``for [value, key] = struct`` has a ``Matrix`` of two names as target.
    """

    target: Expr
    iterable: Expr
    body: tuple[Statement, ...]
    parallel: bool = False
    workers: Expr | None = None


@record
class While(Node):
    """``while condition``."""

    condition: Expr
    body: tuple[Statement, ...]


@record
class DoUntil(Node):
    """Octave's ``do … until condition``."""

    body: tuple[Statement, ...]
    condition: Expr


@record
class Case(Node):
    """One ``case``; a ``CellLiteral`` value matches any of its elements."""

    value: Expr
    body: tuple[Statement, ...]


@record
class Switch(Node):
    """``switch``; ``otherwise`` is None when missing."""

    subject: Expr
    cases: tuple[Case, ...]
    otherwise: tuple[Statement, ...] | None = None


@record
class Try(Node):
    """``try … catch name``; ``name`` is empty without an identifier; ``handler`` is empty
    without a ``catch``."""

    body: tuple[Statement, ...]
    name: str
    handler: tuple[Statement, ...]
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)


@record
class UnwindProtect(Node):
    """Octave's ``unwind_protect … unwind_protect_cleanup``."""

    body: tuple[Statement, ...]
    cleanup: tuple[Statement, ...]


@record
class Spmd(Node):
    """``spmd (n) … end``."""

    args: tuple[Expr, ...]
    body: tuple[Statement, ...]


@record
class Declared(Node):
    """A name in ``global``/``persistent``, with Octave's initial value or None."""

    name: str
    value: Expr | None = None


@record
class Substream(Node):
    """The random numbers of pass ``counter`` of a ``parfor`` begin; never parsed."""

    counter: Expr


@record
class Global(Node):
    """``global a b``."""

    names: tuple[Declared, ...]


@record
class Persistent(Node):
    """``persistent a b``."""

    names: tuple[Declared, ...]


@record
class Import(Node):
    """``import pkg.name pkg.*``."""

    names: tuple[str, ...]


@record
class Break(Node):
    """``break``."""


@record
class Continue(Node):
    """``continue``."""


@record
class Return(Node):
    """``return``."""


Statement = (
    ExpressionStatement
    | Assign
    | MultiAssign
    | OpAssign
    | Command
    | ShellEscape
    | If
    | For
    | While
    | DoUntil
    | Switch
    | Try
    | UnwindProtect
    | Spmd
    | Substream
    | Global
    | Persistent
    | Import
    | Break
    | Continue
    | Return
)
