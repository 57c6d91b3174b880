"""Nodes of statements."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.engine.language.ast_expr import Expr, Node
from app.source import Span


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
    """``for``/``parfor`` over the columns of ``iterable``; ``workers`` is parfor's second part.

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
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)


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
class Substream(Node):
    """The random numbers of pass ``counter`` of a ``parfor`` begin; never parsed."""

    counter: Expr


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
