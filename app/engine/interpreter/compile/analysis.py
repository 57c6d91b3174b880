"""What the names of a function are, found before any code is written.

A name is a variable of a function when the function can give it a value: parameter, output,
assignment target, loop variable, ``catch`` name, ``global``/``persistent``. All other names are
functions. Code whose variables cannot be known in advance (``eval``, ``load`` without output, a
call of a script …) is *dynamic*: its variables live in a dictionary and unknown names are looked up
there first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from app.engine.interpreter.clearing import CLEARS, clears
from app.engine.language import ast
from app.engine.language.walk import children, walk_body
from app.records import mutable_record

CREATES_VARIABLES = frozenset(
    ("eval", "evalc", "evalin", "load", "run", "source", "keyboard", "dbstop", "syms", "input")
)
"""Functions that may create variables in the code that calls them."""

ALWAYS_DYNAMIC = frozenset(("eval", "evalc", "run", "source", "keyboard", "syms"))
"""Of those, the ones that may do so even where their output is used."""

BRINGS_CODE = frozenset(("eval", "run", "cd", "chdir", "addpath"))
"""Functions of a text that is code, a script, or a folder of scripts."""


def root_name(target: ast.Node) -> str:
    """The variable at the root of an assignment target; empty for ``~``."""
    while isinstance(target, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
        target = target.base
    return target.id if isinstance(target, ast.Name) else ""


@mutable_record
class Names:
    """The names of one function or script.

    Attributes:
        parameters: inputs, in order.
        outputs: outputs, in order.
        assigned: everything that can get a value, parameters and outputs included.
        globals: names declared ``global``.
        persistent: names declared ``persistent``.
        used: every name that occurs, those inside anonymous functions included.
        dynamic: True when the variables must live in a dictionary.
        statements: bare names used as statements: they may turn out to be scripts.
        literals: statements that call one of `BRINGS_CODE` with a text: the function, and the text.
        unlinks: whether a ``clear`` may stand behind the declaration of a global variable.
    """

    parameters: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    assigned: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    persistent: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    dynamic: bool = False
    statements: set[str] = field(default_factory=set)
    literals: set[tuple[str, str]] = field(default_factory=set)
    unlinks: bool = False


def names_of_function(function: ast.FunctionDef) -> Names:
    """Collect the names of ``function``, nested functions not included."""
    names = Names(tuple(p.name for p in function.inputs), tuple(p.name for p in function.outputs))
    names.assigned.update(n for n in names.parameters + names.outputs if n != "~")
    defaults = tuple(p.default for p in function.inputs if p.default is not None)
    _collect(names, (*function.arguments, *defaults, *function.body))
    for block in function.arguments:
        names.assigned.update(d.name for d in block.declarations)
    if names.globals and not names.used.isdisjoint(CLEARS):
        names.dynamic = True  # what is cleared is global no longer
    return names


def names_of_script(body: tuple[ast.Statement, ...]) -> Names:
    """Collect the names of a script; scripts are dynamic."""
    names = Names(dynamic=True)
    _collect(names, body)
    return names


def _collect(names: Names, nodes: tuple[ast.Node, ...]) -> None:
    declared = cleared = 0
    for node in walk_body(nodes):
        collect = _COLLECTORS.get(type(node))
        if collect is not None:
            collect(names, node)
        if isinstance(node, ast.Global):
            declared = min(declared or node.span.end, node.span.end)
        elif clears(node):
            cleared = max(cleared, node.span.end)
    names.unlinks = 0 < declared < cleared


def _assign(names: Names, node: ast.Assign | ast.OpAssign | ast.AssignExpression | ast.For) -> None:
    target = node.target
    if isinstance(target, ast.Matrix):
        names.assigned.update(root_name(t) for row in target.rows for t in row)
    else:
        names.assigned.add(root_name(target))


def _multi(names: Names, node: ast.MultiAssign) -> None:
    names.assigned.update(filter(None, map(root_name, node.targets)))


def _try(names: Names, node: ast.Try) -> None:
    if node.name:
        names.assigned.add(node.name)


def _declare(names: Names, node: ast.Global | ast.Persistent) -> None:
    kind = names.globals if isinstance(node, ast.Global) else names.persistent
    declared = {d.name for d in node.names}
    kind.update(declared)
    names.assigned.update(declared)


def _name(names: Names, node: ast.Name) -> None:
    name = node.id
    names.used.add(name)
    if name in ALWAYS_DYNAMIC:
        names.dynamic = True


def _statement(names: Names, node: ast.ExpressionStatement) -> None:
    expr = node.expr
    if isinstance(expr, ast.Name):
        names.statements.add(expr.id)
        called = expr.id
    elif isinstance(expr, ast.Index) and isinstance(expr.base, ast.Name):
        called = expr.base.id
        if called in BRINGS_CODE and expr.args and isinstance(expr.args[0], ast.Char | ast.String):
            names.literals.add((called, expr.args[0].value))
    elif isinstance(expr, ast.AssignExpression):
        return
    else:
        called = ""
    if called in CREATES_VARIABLES:
        names.dynamic = True
    names.assigned.add("ans")


def _command(names: Names, node: ast.Command) -> None:
    name = node.name
    names.used.add(name)
    if name in CREATES_VARIABLES:
        names.dynamic = True
    if not node.args:
        names.statements.add(name)
    elif name in BRINGS_CODE:
        names.literals.add((name, " ".join(node.args)))


_COLLECTORS: dict[type, Callable[..., None]] = {
    ast.Assign: _assign,
    ast.OpAssign: _assign,
    ast.AssignExpression: _assign,
    ast.For: _assign,
    ast.MultiAssign: _multi,
    ast.Try: _try,
    ast.Global: _declare,
    ast.Persistent: _declare,
    ast.Name: _name,
    ast.ExpressionStatement: _statement,
    ast.Command: _command,
}


def free_names(expr: ast.Expr, bound: frozenset[str] = frozenset()) -> set[str]:
    """Names an expression reads that no anonymous function inside it binds.

    The name of a handle is one too where it is a method of a variable; a handle to a nested
    function is found by ``handle_names``.
    """
    found: set[str] = set()
    pending: list[tuple[ast.Node, frozenset[str]]] = [(expr, bound)]
    while pending:
        node, hidden = pending.pop()
        if isinstance(node, ast.Name) and node.id not in hidden:
            found.add(node.id)
        if isinstance(node, ast.FunctionHandle) and "." in node.name:
            found |= {node.name.partition(".")[0]} - hidden
        if isinstance(node, ast.AnonymousFunction):
            hidden = hidden | {p.name for p in node.parameters}
        pending.extend((child, hidden) for child in children(node))
    return found


def handle_names(expr: ast.Expr) -> set[str]:
    """Functions whose handles an expression makes."""
    return {n.name for n in walk_body((expr,)) if isinstance(n, ast.FunctionHandle)}


def has_end(nodes: tuple[ast.Node, ...], is_variable: Callable[[str], bool]) -> bool:
    """True when an ``end`` belongs to the index whose arguments are ``nodes``.

    An ``end`` inside the subscripts of another variable or in braces belongs there.
    """
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.End):
            return True
        if isinstance(node, ast.CellIndex) or (
            isinstance(node, ast.Index) and is_variable(root_name(node))
        ):
            pending.append(node.base)
        elif not isinstance(node, ast.AnonymousFunction):
            pending.extend(children(node))
    return False
