"""Remarks on names: unused, undefined, never set, hiding a builtin, called with too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from app.engine.analysis.known import UNLIMITED, Arity, Surroundings, builtin_names, closest_name
from app.engine.analysis.scopes import BINDING, Occurrence, Role, Scope, Symbols
from app.engine.language import Diagnostic, Fix, Severity, ast
from app.engine.language.walk import statements
from app.source import Span

_IMPLICIT = frozenset({"ans", "varargin", "varargout", "nargin", "nargout", "end", "this", "self"})
# Hiding these is everyday MATLAB.
_HIDDEN_ON_PURPOSE = frozenset(
    "i j e ans pi eps data input args text tf ss sigma order step degree zero margin initial layout"
    " series distances neighbors fit timer".split()
)
_ASSIGNED = frozenset({Role.WRITE, Role.PARTIAL, Role.CATCH})
_USED = frozenset({Role.READ, Role.HANDLE, Role.COMMAND, Role.SHARED, Role.OUTPUT})


def check(
    symbols: Symbols, surroundings: Surroundings | None, *, in_class_folder: bool = False
) -> Iterator[Diagnostic]:
    """All remarks of this module; the main function of a file ``in_class_folder`` is a method."""
    functions = _functions(symbols)
    if in_class_folder and symbols.functions:
        del functions[next(iter(symbols.functions))]
    for scope in symbols.all_scopes():
        yield from _unused_names(scope)
        yield from _outputs_not_set(scope)
        yield from _commands(scope)
        yield from _arity(scope, functions, surroundings)
        if surroundings is not None:
            yield from _hiding(scope, surroundings)
            yield from _undefined_names(scope, symbols, functions, surroundings)


def _functions(symbols: Symbols) -> dict[str, ast.FunctionDef]:
    """Functions of the text that a plain call surely means: all but methods."""
    found = {s.name: s.node for s in symbols.all_scopes() if isinstance(s.node, ast.FunctionDef)}
    methods = {scope.name for scope in symbols.scopes if scope.is_method}
    return {name: node for name, node in found.items() if name not in methods}


def _is_dynamic(scope: Scope) -> bool:
    """True when variables may come and go unseen: by ``eval``, by scripts."""
    return any(inner.dynamic or _calls_scripts(inner) for inner in scope.everything())


def _calls_scripts(scope: Scope) -> bool:
    """A bare name that is no builtin may be a script, which sees and sets all variables."""
    return any(
        o.role is Role.COMMAND and not scope.owner(o.name) and o.name not in builtin_names()
        for o in scope.occurrences
    )


def _unused_names(scope: Scope) -> Iterator[Diagnostic]:
    if not isinstance(scope.node, ast.FunctionDef) or _is_dynamic(scope):
        return
    targets = _ignorable(scope.node)
    for name in sorted(scope.bound - _IMPLICIT):
        mentions = scope.mentions.get(name)
        if not mentions or any(o.role in _USED for o in mentions):
            continue
        first = mentions[0]
        if first.role in _ASSIGNED:
            message = f"The value of '{name}' is never used."
            fix = Fix("Ignore this output", first.span, "~") if first.span in targets else None
            yield Diagnostic(first.span, Severity.WARNING, "unused-variable", message, fix)
        elif first.role is Role.PARAMETER and len(mentions) == 1 and scope.node.body:
            message = f"The parameter '{name}' is never used."
            fix = Fix("Ignore this parameter", first.span, "~")
            yield Diagnostic(first.span, Severity.INFO, "unused-parameter", message, fix)


def _ignorable(node: ast.Node) -> set[Span]:
    """Places of plain names among several outputs, which ``~`` can replace."""
    return {
        target.span
        for found in statements(node)
        if isinstance(found, ast.MultiAssign)
        for target in found.targets
        if isinstance(target, ast.Name)
    }


def _outputs_not_set(scope: Scope) -> Iterator[Diagnostic]:
    node = scope.node
    if not isinstance(node, ast.FunctionDef) or not node.body or _is_dynamic(scope):
        return
    if any(isinstance(s, ast.ExpressionStatement) and _throws(s) for s in node.body):
        return
    inputs = {p.name for p in node.inputs}
    if scope.is_constructor:
        return
    for output in node.outputs:
        set_here = any(
            o.role in BINDING and o.role is not Role.OUTPUT
            for o in scope.mentions.get(output.name, ())
        )
        if not set_here and output.name not in inputs and output.name != node.list_output:
            message = f"The output '{output.name}' is never set."
            yield Diagnostic(output.span, Severity.WARNING, "output-not-set", message)


def _commands(scope: Scope) -> Iterator[Diagnostic]:
    for o in scope.occurrences:
        if o.role is Role.COMMAND and o.arguments and scope.owner(o.name) is not None:
            message = f"'{o.name}' is a variable; this calls the function '{o.name}' with text."
            yield Diagnostic(o.span, Severity.WARNING, "command-of-variable", message)


def _throws(statement: ast.ExpressionStatement) -> bool:
    expr = statement.expr
    base = expr.base if isinstance(expr, ast.Index) else None
    return isinstance(base, ast.Name) and base.id in ("error", "rethrow", "throw")


def _arity(
    scope: Scope, functions: Mapping[str, ast.FunctionDef], surroundings: Surroundings | None
) -> Iterator[Diagnostic]:
    for o in scope.occurrences:
        if o.role is not Role.READ or scope.owner(o.name) is not None:
            continue
        arity = _arity_of(o.name, functions, surroundings)
        if o.arguments is not None and o.arguments > arity.inputs:
            message = f"'{o.name}' takes at most {arity.inputs} inputs; {o.arguments} are given."
            yield Diagnostic(o.span, Severity.WARNING, "too-many-inputs", message)
        if o.outputs > arity.outputs:
            message = f"'{o.name}' gives at most {arity.outputs} outputs; {o.outputs} are wanted."
            yield Diagnostic(o.span, Severity.WARNING, "too-many-outputs", message)


def _arity_of(
    name: str, functions: Mapping[str, ast.FunctionDef], surroundings: Surroundings | None
) -> Arity:
    node = functions.get(name)
    if node is not None:
        return arity_of(node)
    return (surroundings.functions.get(name) if surroundings else None) or Arity()


def arity_of(node: ast.FunctionDef) -> Arity:
    """Most inputs and outputs of a function of the text."""
    inputs, outputs = len(node.inputs), len(node.outputs)
    if (node.inputs and node.inputs[-1].name == "varargin") or node.arguments:
        inputs = UNLIMITED
    if node.list_output:
        outputs = UNLIMITED
    return Arity(inputs, outputs)


def _hiding(scope: Scope, surroundings: Surroundings) -> Iterator[Diagnostic]:
    for name in sorted(scope.bound - _HIDDEN_ON_PURPOSE):
        if name not in surroundings.functions or scope.owner(name) is not scope:
            continue
        if isinstance(scope.node, ast.AnonymousFunction):
            continue
        first = next(o for o in scope.occurrences if o.name == name and o.role in BINDING)
        if first.role is not Role.SHARED:
            message = f"The variable '{name}' hides the function of that name."
            yield Diagnostic(first.span, Severity.INFO, "hides-function", message)


def _undefined_names(
    scope: Scope,
    symbols: Symbols,
    functions: Mapping[str, ast.FunctionDef],
    surroundings: Surroundings,
) -> Iterator[Diagnostic]:
    if any(s.dynamic or _calls_scripts(s) for s in (scope, *_outer_scopes(scope))):
        return
    for o in scope.occurrences:
        if o.role in BINDING or o.is_base or o.name in _IMPLICIT or scope.owner(o.name):
            continue
        if o.name in functions or o.name in surroundings.functions:
            continue
        if o.name in surroundings.packages or o.name in surroundings.methods:
            continue
        if _outermost(scope) is symbols.scopes[0] and o.name in surroundings.variables:
            continue
        yield _not_found(o, scope, functions, surroundings)


def _outer_scopes(scope: Scope) -> Iterator[Scope]:
    current = scope.parent
    while current is not None:
        yield current
        current = current.parent


def _outermost(scope: Scope) -> Scope:
    return [scope, *_outer_scopes(scope)][-1]


def _not_found(
    o: Occurrence,
    scope: Scope,
    functions: Mapping[str, ast.FunctionDef],
    surroundings: Surroundings,
) -> Diagnostic:
    known = (scope.bound, functions, surroundings.functions, surroundings.methods)
    visible = chain(*known)
    close = closest_name(o.name, visible)
    message = f"'{o.name}' is neither a variable nor a function here."
    fix = None
    if close:
        message += f" Did you mean '{close}'?"
        fix = Fix(f"Change to {close}", o.span, close)
    return Diagnostic(o.span, Severity.WARNING, "undefined-name", message, fix)
