"""Which names a text mentions, in which scope, and what they are there.

A nested function shares the variables of the functions around it; an anonymous function sees
them and adds its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any

from app.engine.language import ast
from app.engine.language.walk import children
from app.records import record
from app.source import Span

# Functions that make or read variables without naming them in the code.
DYNAMIC = frozenset(
    "eval evalc evalin assignin load run syms who whos save clear clearvars exist keyboard dbstop "
    "inputname input sim source".split()
)


class Role(StrEnum):
    """What an occurrence of a name does."""

    READ = "read"
    WRITE = "write"
    PARTIAL = "partial"  # x(i) = …, x.f = …
    LOOP = "loop"
    PARAMETER = "parameter"
    OUTPUT = "output"
    SHARED = "shared"  # global, persistent
    HANDLE = "handle"
    COMMAND = "command"  # command syntax, or a name alone
    CATCH = "catch"


BINDING = frozenset(
    {Role.WRITE, Role.PARTIAL, Role.LOOP, Role.PARAMETER, Role.OUTPUT, Role.SHARED, Role.CATCH}
)


@record
class Occurrence:
    """A name somewhere in the text.

    Attributes:
        name: the name.
        span: where.
        role: what happens to it.
        arguments: number of call arguments; None when not indexed, -1 when it cannot be known.
        outputs: number of values wanted of a call.
        is_base: it is followed by a field (``name.field``).
    """

    name: str
    span: Span
    role: Role
    arguments: int | None = None
    outputs: int = 1
    is_base: bool = False


@dataclass(eq=False, slots=True)
class Scope:
    """One workspace: a script's, a function's, or the parameters of an anonymous function.

    Attributes:
        name: function name; empty for scripts and anonymous functions.
        node: the file, function or anonymous function.
        parent: scope around it, None for top-level functions and scripts.
        occurrences: every mention of a name, in the order of the walk.
        dynamic: variables may come and go unseen (``eval``, ``load`` …).
        inner: scopes inside.
        is_method: function of a class.
        is_constructor: method whose output is there before its first statement.
        bound: names that are variables here.
        own: parameters and outputs: they hide variables of the same name outside.
        mentions: per variable of this scope its occurrences here and in scopes inside.
    """

    name: str
    node: ast.Node
    parent: Scope | None = None
    occurrences: list[Occurrence] = field(default_factory=list)
    dynamic: bool = False
    inner: list[Scope] = field(default_factory=list)
    is_method: bool = False
    is_constructor: bool = False
    bound: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    mentions: dict[str, list[Occurrence]] = field(default_factory=dict)

    def owner(self, name: str) -> Scope | None:
        """The scope whose variable ``name`` is here; None when it is no variable."""
        scope: Scope | None = self
        found = None
        while scope is not None:
            if name in scope.bound:
                found = scope
                if name in scope.own:
                    return scope
            scope = scope.parent
        return found

    def everything(self) -> Iterator[Scope]:
        """This scope and all inside it."""
        stack = [self]
        while stack:
            scope = stack.pop()
            yield scope
            stack += reversed(scope.inner)


@record
class Symbols:
    """The names of a file.

    Attributes:
        scopes: the script's scope (always first) and those of the top-level functions and methods.
        functions: top-level functions by name.
    """

    scopes: list[Scope]
    functions: dict[str, ast.FunctionDef]

    def all_scopes(self) -> Iterator[Scope]:
        """Every scope, inner ones included."""
        for scope in self.scopes:
            yield from scope.everything()

    def at(self, offset: int) -> Scope:
        """The innermost scope that holds ``offset``."""
        best = self.scopes[0]
        for scope in self.all_scopes():
            span = scope.node.span
            inside = span.start <= offset <= span.end
            if inside and span.end - span.start <= best.node.span.end - best.node.span.start:
                best = scope
        return best


def resolve(file: ast.File) -> Symbols:
    """Find all names of ``file``."""
    script = Scope("", file)
    tasks: list[tuple[ast.Node, Scope]] = [(s, script) for s in reversed(file.body)]
    scopes = [script]
    scopes += [_function(function, None, tasks) for function in file.functions]
    if file.classdef is not None:
        scopes += _class(file.classdef, script, tasks)
    while tasks:
        node, scope = tasks.pop()
        handler = _HANDLERS.get(type(node))
        if handler:
            handler(node, scope, tasks)
        else:
            tasks += [(child, scope) for child in reversed(children(node))]
    symbols = Symbols(scopes, {f.name: f for f in file.functions})
    for scope in symbols.all_scopes():
        for occurrence in scope.occurrences:
            owner = scope.owner(occurrence.name)
            if owner is not None:
                owner.mentions.setdefault(occurrence.name, []).append(occurrence)
    return symbols


Tasks = list[tuple[ast.Node, Scope]]


def _class(node: ast.ClassDef, outside: Scope, tasks: Tasks) -> Iterator[Scope]:
    for block in node.blocks:
        if not isinstance(block, ast.MethodsBlock):
            tasks += [(child, outside) for child in children(block)]
            continue
        for method in block.functions:
            scope = _function(method, None, tasks)
            scope.is_method = True
            scope.is_constructor = method.name == node.name.rpartition(".")[2]
            yield scope


def _note(scope: Scope, name: str, span: Span, role: Role, **facts: Any) -> None:
    if name in ("", "~"):
        return
    scope.occurrences.append(Occurrence(name, span, role, **facts))
    if role in BINDING:
        scope.bound.add(name)
        if role is Role.PARAMETER or role is Role.OUTPUT:
            scope.own.add(name)
    elif name in DYNAMIC:
        scope.dynamic = True


def _function(node: ast.FunctionDef, parent: Scope | None, tasks: Tasks) -> Scope:
    scope = Scope(node.name, node, parent)
    for role, parameters in ((Role.PARAMETER, node.inputs), (Role.OUTPUT, node.outputs)):
        for p in parameters:
            _note(scope, p.name, Span(p.span.start, p.span.start + len(p.name)), role)
            if p.default is not None:
                tasks.append((p.default, scope))
    tasks += [(block, scope) for block in node.arguments]
    tasks += [(statement, scope) for statement in reversed(node.body)]
    scope.inner += [_function(inner, scope, tasks) for inner in node.functions]
    return scope


def _anonymous(node: ast.AnonymousFunction, scope: Scope, tasks: Tasks) -> None:
    inner = Scope("", node, scope)
    scope.inner.append(inner)
    for p in node.parameters:
        _note(inner, p.name, Span(p.span.start, p.span.start + len(p.name)), Role.PARAMETER)
    _wanting_nothing(node.body, inner, tasks, Role.READ)


def _target(node: ast.Node, scope: Scope, tasks: Tasks, role: Role = Role.WRITE) -> None:
    """An assignment's target: its base is written, its indices are read."""
    if isinstance(node, ast.Name):
        _note(scope, node.id, node.span, role)
        return
    while isinstance(node, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
        tasks += [(child, scope) for child in children(node)[1:]]
        node = node.base
    if isinstance(node, ast.Name):
        _note(scope, node.id, node.span, Role.PARTIAL)
    elif isinstance(node, ast.Matrix):
        for item in chain.from_iterable(node.rows):  # none in a text that does not parse
            _target(item, scope, tasks, role)


def _assign(node: ast.Assign | ast.OpAssign, scope: Scope, tasks: Tasks) -> None:
    if isinstance(node, ast.OpAssign):
        tasks.append((node.target, scope))
    _target(node.target, scope, tasks)
    tasks.append((node.value, scope))


def _assign_expression(node: ast.AssignExpression, scope: Scope, tasks: Tasks) -> None:
    _target(node.target, scope, tasks)
    tasks += [(node.value, scope), (node.target, scope)]


def _multi_assign(node: ast.MultiAssign, scope: Scope, tasks: Tasks) -> None:
    for target in node.targets:
        _target(target, scope, tasks)
    value = node.value
    if isinstance(value, ast.Name):
        _note(scope, value.id, value.span, Role.READ, outputs=len(node.targets))
    elif isinstance(value, ast.Index) and isinstance(value.base, ast.Name):
        _call(value, scope, tasks, len(node.targets))
    else:
        tasks.append((value, scope))


def _for(node: ast.For, scope: Scope, tasks: Tasks) -> None:
    _target(node.target, scope, tasks, Role.LOOP)
    tasks += [(s, scope) for s in reversed(node.body)]
    tasks.append((node.iterable, scope))
    if node.workers is not None:
        tasks.append((node.workers, scope))


def _try(node: ast.Try, scope: Scope, tasks: Tasks) -> None:
    _note(scope, node.name, node.name_span, Role.CATCH)
    tasks += [(s, scope) for s in (*reversed(node.handler), *reversed(node.body))]


def _statement(node: ast.ExpressionStatement, scope: Scope, tasks: Tasks) -> None:
    """A call as a statement wants no outputs; a name alone may be a script."""
    _wanting_nothing(node.expr, scope, tasks, Role.COMMAND)


def _wanting_nothing(node: ast.Expr, scope: Scope, tasks: Tasks, role: Role) -> None:
    if isinstance(node, ast.Name):
        _note(scope, node.id, node.span, role, outputs=0)
    elif isinstance(node, ast.Index) and isinstance(node.base, ast.Name):
        _call(node, scope, tasks, 0)
    else:
        tasks.append((node, scope))


def _name(node: ast.Name, scope: Scope, tasks: Tasks) -> None:
    _note(scope, node.id, node.span, Role.READ)


def _index(node: ast.Index, scope: Scope, tasks: Tasks) -> None:
    if isinstance(node.base, ast.Name):
        _call(node, scope, tasks, 1)
    else:
        tasks += [(child, scope) for child in reversed(children(node))]


def _call(node: ast.Index, scope: Scope, tasks: Tasks, outputs: int) -> None:
    base = node.base
    if isinstance(base, ast.Name):
        count = argument_count(node.args)
        _note(scope, base.id, base.span, Role.READ, arguments=count, outputs=outputs)
    tasks += [(arg, scope) for arg in reversed(node.args)]


def argument_count(args: tuple[ast.Expr, ...]) -> int:
    """How many arguments a call has; -1 when a comma list makes that unknown."""
    count = 0
    for arg in args:
        if isinstance(arg, ast.CellIndex | ast.Field | ast.DynamicField | ast.Colon):
            return -1
        if isinstance(arg, ast.Index) and isinstance(arg.base, ast.Field | ast.DynamicField):
            return -1
        count += 2 if isinstance(arg, ast.NameValueArgument) else 1
    return count


def _field(node: ast.Field, scope: Scope, tasks: Tasks) -> None:
    if isinstance(node.base, ast.Name):
        _note(scope, node.base.id, node.base.span, Role.READ, is_base=True)
    else:
        tasks.append((node.base, scope))


def _handle(node: ast.FunctionHandle, scope: Scope, tasks: Tasks) -> None:
    first = node.name.partition(".")[0]
    start = node.span.end - len(node.name)
    span = Span(start, start + len(first))
    _note(scope, first, span, Role.HANDLE, is_base=first != node.name)


def _command(node: ast.Command, scope: Scope, tasks: Tasks) -> None:
    span = Span(node.span.start, node.span.start + len(node.name))
    _note(scope, node.name, span, Role.COMMAND, arguments=len(node.args), outputs=0)


def _note_shared(node: ast.Global | ast.Persistent, scope: Scope, tasks: Tasks) -> None:
    for name in node.names:
        span = Span(name.span.start, name.span.start + len(name.name))
        _note(scope, name.name, span, Role.SHARED)
        if name.value is not None:
            tasks.append((name.value, scope))


def _declaration(node: ast.Declaration, scope: Scope, tasks: Tasks) -> None:
    """A line of an arguments block mentions its parameter."""
    if not isinstance(scope.node, ast.File):
        span = Span(node.span.start, node.span.start + len(node.name))
        _note(scope, node.name, span, Role.READ)
    for validator in node.validators:  # it raises an error, or gives nothing
        _wanting_nothing(validator, scope, tasks, Role.READ)
    if node.default is not None:
        tasks.append((node.default, scope))


_HANDLERS: dict[type, Callable[[Any, Scope, Tasks], None]] = {
    ast.AnonymousFunction: _anonymous,
    ast.Assign: _assign,
    ast.ExpressionStatement: _statement,
    ast.OpAssign: _assign,
    ast.AssignExpression: _assign_expression,
    ast.MultiAssign: _multi_assign,
    ast.For: _for,
    ast.Try: _try,
    ast.Name: _name,
    ast.Index: _index,
    ast.Field: _field,
    ast.FunctionHandle: _handle,
    ast.Command: _command,
    ast.Global: _note_shared,
    ast.Persistent: _note_shared,
    ast.Declaration: _declaration,
    ast.Attribute: lambda node, scope, tasks: None,
}
