"""Every use of a name in the body of a ``parfor``, in the order in which it happens.

What a use is decides the class of its variable (`parfor_variables`): whether the whole value is
taken or an element, with which subscripts, whether it is read or written, and whether the statement
is of the form of a reduction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from app.engine.language import ast
from app.engine.language.printer_expr import print_expr
from app.engine.language.walk import children, walk
from app.records import mutable_record, record
from app.source import Span

COMMUTATIVE = frozenset(("+", ".*", "*", "&", "|"))
OPERATORS = COMMUTATIVE | {"-"}


@record
class Use:
    """One use of a name.

    Attributes:
        name: the name.
        span: the expression that uses it.
        write: whether it gets a value.
        form: the first subscript: ``whole``, ``()``, ``{}`` or ``.``.
        args: the subscripts of that first step.
        reduction: the operation of a statement ``x = x + …`` around it; empty elsewhere.
        hidden: inside an anonymous function.
        unset: when it is read, no statement before it can have set it in the same pass.
        doubtful: some way leads here on which it has not been set in the same pass.
        deletes: the assignment removes elements.
        loops: names of the loops inside the body that are around it.
    """

    name: str
    span: Span
    write: bool
    form: str = "whole"
    args: tuple[ast.Expr, ...] = ()
    reduction: str = ""
    hidden: bool = False
    unset: bool = False
    doubtful: bool = False
    deletes: bool = False
    loops: tuple[str, ...] = ()

    @property
    def subscripts(self) -> str:
        """The subscripts as written; two uses agree where these do."""
        return ", ".join(print_expr(a, compact=True) for a in self.args)


@mutable_record
class Reduction:
    """``x = x + expr`` and its kin.

    Attributes:
        name: the variable.
        operation: what must be the same in all of them, such as ``+`` or ``[x, …]`` or ``f(x, …)``.
        expr: what is joined to the variable.
    """

    name: str
    operation: str
    expr: ast.Expr


def reduction_of(node: ast.Statement) -> Reduction | None:
    """What a statement does where it has the form of a reduction; None for others."""
    if isinstance(node, ast.OpAssign) and isinstance(node.target, ast.Name):
        if node.op not in OPERATORS:
            return None
        kind = "x * …" if node.op == "*" else node.op
        return _free(Reduction(node.target.id, kind, node.value))
    if not isinstance(node, ast.Assign) or not isinstance(node.target, ast.Name):
        return None
    found = _reduction_of_value(node.target.id, node.value)
    return None if found is None else _free(found)


def _free(found: Reduction) -> Reduction | None:
    """The reduction, unless its expression uses the variable again."""
    return None if any(_is(found.name, n) for n in walk(found.expr)) else found


def _reduction_of_value(name: str, value: ast.Expr) -> Reduction | None:
    match value:
        case ast.Binary(op=op, left=left, right=right) if op in OPERATORS:
            return _operation(name, op, left, right)
        case ast.Index(base=ast.Name(id=function), args=(first, second)):
            return _reduction_of_pair(
                name, first, second, (f"{function}(x, …)", f"{function}(…, x)")
            )
        case ast.Matrix(rows=(row,)) if len(row) > 1:
            return _reduction_of_pair(
                name, _row(row[:1]), _row(row[1:]), ("[x, …]", "")
            ) or _reduction_of_pair(name, _row(row[:-1]), _row(row[-1:]), ("", "[…, x]"))
        case ast.Matrix(rows=rows) if len(rows) > 1:
            return _reduction_of_pair(
                name, _rows(rows[:1]), _rows(rows[1:]), ("[x; …]", "")
            ) or _reduction_of_pair(name, _rows(rows[:-1]), _rows(rows[-1:]), ("", "[…; x]"))
        case ast.CellLiteral(rows=((ast.CellIndex(base=base, args=(ast.Colon(),)), item),)):
            if _is(name, base):
                return Reduction(name, "{x{:}, …}", ast.CellLiteral(item.span, ((item,),)))
        case _:
            pass
    return None


def _reduction_of_pair(
    name: str, first: ast.Expr, second: ast.Expr, shown: tuple[str, str]
) -> Reduction | None:
    """The variable joined to something behind or before it."""
    if shown[0] and _is(name, first):
        return Reduction(name, shown[0], second)
    return Reduction(name, shown[1], first) if shown[1] and _is(name, second) else None


def _row(items: tuple[ast.Expr, ...]) -> ast.Expr:
    """The value of some items of a row."""
    return items[0] if len(items) == 1 else ast.Matrix(items[0].span, (items,))


def _rows(rows: tuple[tuple[ast.Expr, ...], ...]) -> ast.Expr:
    """The value of some rows of a matrix."""
    return _row(rows[0]) if len(rows) == 1 else ast.Matrix(rows[0][0].span, rows)


def _operation(name: str, op: str, left: ast.Expr, right: ast.Expr) -> Reduction | None:
    if _is(name, left):
        return Reduction(name, "x * …" if op == "*" else op, right)
    if _is(name, right) and op in COMMUTATIVE:
        return Reduction(name, "… * x" if op == "*" else op, left)
    return _longer(name, op, left, right)


def _longer(name: str, op: str, left: ast.Expr, right: ast.Expr) -> Reduction | None:
    """``x + a + b``, which is ``x + (a + b)``; ``x .* a .* b``; ``x - a - b``, ``x - (a + b)``.

    Signs that change are none of these: differences of unsigned integers end at 0.
    """
    if op not in ("+", "-", ".*") or not isinstance(left, ast.Binary) or left.op != op:
        return None
    inner = _reduction_of_value(name, left)
    if inner is None or inner.operation != op:
        return None
    sign = "+" if op == "-" else op
    joined = ast.Binary(left.span.to(right.span), sign, inner.expr, right)
    return Reduction(name, op, joined)


def _is(name: str, node: ast.Node) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@mutable_record
class _State:
    """What is set at a place: surely, perhaps."""

    sure: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)

    def copy(self) -> _State:
        return _State(set(self.sure), set(self.maybe))


class Uses:
    """Collects the uses of one body.

    Attributes:
        found: the uses in order.
    """

    def __init__(self, body: tuple[ast.Statement, ...]) -> None:
        self.found: list[Use] = []
        self._state = _State()
        self._loops: tuple[str, ...] = ()
        self._block(body)

    # --- statements ---

    def _block(self, body: tuple[ast.Statement, ...]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Assign() | ast.OpAssign():
                self._assign(node)
            case ast.MultiAssign(targets=targets, value=value):
                self._read(value)
                for target in targets:
                    self._write(target)
            case ast.If(branches=branches, orelse=orelse):
                self._read_branches([(b.condition, b.body) for b in branches], orelse)
            case ast.Switch(subject=subject, cases=cases, otherwise=otherwise):
                self._read(subject)
                self._read_branches([(c.value, c.body) for c in cases], otherwise)
            case ast.For():
                self._for(node)
            case (
                ast.While(condition=condition, body=body)
                | ast.DoUntil(condition=condition, body=body)
            ):
                self._loop(condition, body, always=isinstance(node, ast.DoUntil))
            case ast.Try(body=body, name=name, handler=handler):
                self._try(node, body, name, handler)
            case ast.UnwindProtect(body=body, cleanup=cleanup):
                self._block((*body, *cleanup))
            case ast.Global() | ast.Persistent() | ast.Command() | ast.Import():
                pass
            case _:
                for child in children(node):
                    self._read(child)

    def _assign(self, node: ast.Assign | ast.OpAssign) -> None:
        reduction = reduction_of(node)
        if reduction is not None:
            self._read(reduction.expr)
            function, called, _ = reduction.operation.partition("(")
            if called:  # it may be a handle in a variable
                self._note(function, node.span)
            self._note(reduction.name, node.span, write=True, reduction=reduction.operation)
            return
        if isinstance(node, ast.OpAssign):
            self._read(node.target)
        self._read(node.value)
        empty = isinstance(node.value, ast.Matrix) and not node.value.rows
        self._write(node.target, deletes=empty)

    def _read_branches(
        self,
        ways: list[tuple[ast.Expr, tuple[ast.Statement, ...]]],
        other: tuple[ast.Statement, ...] | None,
    ) -> None:
        ends: list[_State] = []
        for condition, body in ways:
            self._read(condition)
            before = self._state.copy()
            self._block(body)
            ends.append(self._state)
            self._state = before
        if other:
            self._block(other)
        self._join([*ends, self._state])

    def _join(self, ends: list[_State]) -> None:
        sure = set.intersection(*(e.sure for e in ends))
        self._state = _State(sure, set().union(*(e.maybe for e in ends)))

    def _for(self, node: ast.For) -> None:
        self._read(node.iterable)
        before = self._state.copy()
        outer = self._loops
        if isinstance(node.target, ast.Name):
            self._loops = (*outer, node.target.id)
        self._state.maybe |= names_written(node.body)
        self._write(node.target)
        self._block(node.body)
        self._loops = outer
        self._join([before, self._state])

    def _loop(self, condition: ast.Expr, body: tuple[ast.Statement, ...], *, always: bool) -> None:
        self._state.maybe |= names_written(body) if not always else set()
        if not always:
            self._read(condition)
        before = self._state.copy()
        self._block(body)
        if always:
            self._read(condition)
        else:
            self._join([before, self._state])

    def _try(
        self,
        node: ast.Try,
        body: tuple[ast.Statement, ...],
        name: str,
        handler: tuple[ast.Statement, ...],
    ) -> None:
        before = self._state.copy()
        self._block(body)
        after = self._state
        self._state = _State(set(before.sure), set(after.maybe))
        if name:
            self._note(name, node.name_span, write=True)
        self._block(handler)
        self._join([after, self._state])

    # --- expressions ---

    def _read(self, node: ast.Node, *, hidden: bool = False) -> None:
        below = [node]  # a sum of many terms nests deeper than calls may
        while below:
            match below.pop():
                case ast.Name(id=name, span=span):
                    self._note(name, span, hidden=hidden)
                case ast.AnonymousFunction(parameters=parameters, body=body):
                    self._anonymous({p.name for p in parameters}, body)
                case ast.Index() | ast.CellIndex() | ast.Field() | ast.DynamicField() as chain:
                    self._chain(chain, hidden=hidden)
                case ast.FunctionHandle(name=name, span=span) if "." in name:
                    self._note(name.partition(".")[0], span, form=".", hidden=hidden)
                case ast.AssignExpression(target=target, value=value):
                    self._read(value, hidden=hidden)
                    self._write(target)
                case other:
                    below += reversed(children(other))

    def _anonymous(self, parameters: set[str], body: ast.Expr) -> None:
        """What a handle takes along: whole values."""
        seen = len(self.found)
        self._read(body, hidden=True)
        self.found[seen:] = [u for u in self.found[seen:] if u.name not in parameters]

    def _chain(self, node: ast.Expr, *, write: bool = False, **facts: bool) -> None:
        steps: list[ast.Expr] = []
        root: ast.Expr = node
        while isinstance(root, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
            steps.insert(0, root)
            root = root.base
        hidden = facts.get("hidden", False)
        for step in steps:
            inner = children(step)[1:]
            for child in inner:
                self._read(child, hidden=hidden)
        if not isinstance(root, ast.Name):
            self._read(root, hidden=hidden)
            return
        first = steps[0]
        form = "()" if isinstance(first, ast.Index) else "{}"
        if isinstance(first, ast.Field | ast.DynamicField):
            form, args = ".", ()
        else:
            args = first.args  # type: ignore[union-attr,assignment]
        deletes = facts.get("deletes", False) and len(steps) == 1
        self._note(
            root.id, node.span, write=write, form=form, args=args, hidden=hidden, deletes=deletes
        )

    def _write(self, node: ast.Expr, *, deletes: bool = False) -> None:
        if isinstance(node, ast.Name):
            self._note(node.id, node.span, write=True)
        elif isinstance(node, ast.Matrix):
            for row in node.rows:
                for item in row:
                    self._write(item)
        elif isinstance(node, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
            self._chain(node, write=True, deletes=deletes)

    def _note(
        self,
        name: str,
        span: Span,
        *,
        write: bool = False,
        form: str = "whole",
        args: tuple[ast.Expr, ...] = (),
        reduction: str = "",
        hidden: bool = False,
        deletes: bool = False,
    ) -> None:
        state = self._state
        unset, doubtful = name not in state.maybe, name not in state.sure
        self.found.append(
            Use(
                name,
                span,
                write,
                form,
                args,
                reduction,
                hidden,
                unset,
                doubtful,
                deletes,
                self._loops,
            )
        )
        if write and form == "whole":
            state.sure.add(name)
            state.maybe.add(name)


def names_written(body: tuple[ast.Statement, ...]) -> set[str]:
    """Names that statements set as a whole."""
    return {target.id for target in _whole_writes(body)}


def _whole_writes(body: tuple[ast.Statement, ...]) -> Iterator[ast.Name]:
    for statement in body:
        for node in walk(statement):
            match node:
                case ast.Assign(target=target) | ast.OpAssign(target=target):
                    targets: tuple[ast.Expr, ...] = (target,)
                case ast.AssignExpression(target=target) | ast.For(target=target):
                    targets = (target,)
                case ast.MultiAssign(targets=several):
                    targets = several
                case ast.Try(name=name, name_span=span) if name:
                    targets = (ast.Name(span, name),)
                case _:
                    continue
            for found in _each_target(targets):
                if isinstance(found, ast.Name):
                    yield ast.Name(found.span, found.id)


def _each_target(targets: tuple[ast.Expr, ...]) -> Iterator[ast.Expr]:
    """The targets, those of ``([a, b] = f())`` one by one."""
    for target in targets:
        if isinstance(target, ast.Matrix):
            yield from target.rows[0]
        else:
            yield target
