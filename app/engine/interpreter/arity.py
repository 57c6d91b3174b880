"""How many inputs and outputs a function declares; negative with varargin or varargout."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from app.engine.declarations import registry
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.interpreter.undefined_names import undefined_name
from app.engine.interpreter.unit import LinkStub
from app.engine.language import ast
from app.engine.language.walk import children, walk_body
from app.engine.values import FunctionHandle, Value, text_of

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.unit import Unit

_MANY = 1 << 20


def arity_of(interpreter: Interpreter, unit: Unit | None, function: Value) -> tuple[int, int]:
    """Inputs and outputs of a function given by handle or name."""
    if isinstance(function, FunctionHandle):
        if not function.name:
            return _of_code(function.target)
        own = own_node(function.target)
        if own is not None:
            return _of_node(own)
        name = function.name
    else:
        name = text_of(function)
        name = name.removesuffix(".m")
    node = _node(interpreter, unit, name)
    if node is not None:
        return _of_node(node)
    found = registry.lookup(name)
    if found is None:
        if isinstance(function, FunctionHandle):
            return _of_code(function.target)
        raise undefined_name(name)
    least, most = found.min_args, found.max_args
    outputs = found.max_outputs
    return (-(least + 1) if most > _MANY else most, -1 if outputs > _MANY else outputs)


def own_node(target: Any) -> ast.FunctionDef | None:
    """The syntax tree of what a handle calls; None for builtins and scripts."""
    held = getattr(target, "node", None)
    if held is None and isinstance(target, FunctionType) and "#unit" in target.__globals__:
        name = target.__code__.co_name.removesuffix("()")
        pending: list[Any] = list(target.__globals__["#unit"].nodes.values())
        while pending and held is None:
            node = pending.pop()
            held = node if node.name == name else None
            inside = walk_body(tuple(children(node)))
            pending += [n for n in inside if isinstance(n, ast.FunctionDef)]
    return held if isinstance(held, ast.FunctionDef) else None


def call_with_defaults(callee: Callable[..., Value], *args: Value, nargout: int = 1) -> Value:
    """``f(x, :)`` in Octave: a colon asks for the default of a parameter that has one."""
    target = callee.resolved() if isinstance(callee, LinkStub) else callee
    node = own_node(target)
    defaults = [p.default is not None for p in node.inputs] if node else []
    defaults += [False] * len(args)
    given = [":" if a is COLON and not d else a for a, d in zip(args, defaults, strict=False)]
    return target(*given, nargout=nargout)


def _node(interpreter: Interpreter, unit: Unit | None, name: str) -> ast.FunctionDef | None:
    if unit is not None and name in unit.local:
        node = getattr(unit.local[name], "node", None) or unit.nodes.get(name)
        if node is not None:
            return node
    path = interpreter.path.find(name, unit.folder if unit else "")
    if path is None:
        return None
    functions = interpreter.load(path).tree.functions
    return functions[0] if functions else None


def _of_node(node: ast.FunctionDef) -> tuple[int, int]:
    inputs = [p.name for p in node.inputs]
    given = -len(inputs) if inputs[-1:] == ["varargin"] else len(inputs)
    wanted = -len(node.outputs) if node.list_output else len(node.outputs)
    return given, wanted


def _of_code(target: Any) -> tuple[int, int]:
    if isinstance(target, FunctionType):
        code = target.__code__
        varargin = "varargin" in code.co_varnames
        return (-(code.co_argcount + 1) if varargin else code.co_argcount, -1)
    return (-1, -1)
