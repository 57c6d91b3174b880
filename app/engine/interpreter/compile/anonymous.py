"""Anonymous functions: captured by value, compiled once, created cheaply.

``@(x) a*x`` becomes a factory ``def factory(a): def f(x=None, *rest, nargout=1): return a*x`` in
the unit's namespace; the expression calls ``@anonymous(factory, text, names, a)``.
"""

from __future__ import annotations

import ast as py
from types import CodeType
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import Names, free_names, handle_names
from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler

_CHAIN = ast.Name | ast.Index | ast.CellIndex | ast.Field | ast.DynamicField | ast.SuperCall


def compile_anonymous(outer: FunctionCompiler, node: ast.AnonymousFunction) -> py.expr:
    """The expression that makes the handle."""
    from app.engine.language.printer_expr import print_expr

    parameters = frozenset(p.name for p in node.parameters)
    free = sorted(free_names(node.body, parameters))
    captured = [n for n in free if _captures(outer, n)]
    text = print_expr(node, compact=True)
    factory = _factory(outer, node, captured, text)
    values = [_captured_value(outer, n) for n in captured]
    nested = _nested_functions_used(outer, node, captured)
    values += [outer.out.name(outer.scope.functions[n]) for n in nested]
    facts = outer.out.const((text, tuple(captured)))
    return outer.out.call("@anonymous", outer.out.name(factory), facts, *values)


def bound_method(node: ast.FunctionHandle) -> ast.AnonymousFunction:
    """``@object.method`` as the anonymous function that it stands for."""
    first, *fields = node.name.split(".")
    made: ast.Expr = ast.Name(node.span, first)
    for name in fields:
        made = ast.Field(node.span, made, name)
    rest = ast.CellIndex(node.span, ast.Name(node.span, "varargin"), (ast.Colon(node.span),))
    return ast.AnonymousFunction(
        node.span, (ast.Parameter(node.span, "varargin"),), ast.Index(node.span, made, (rest,))
    )


def _nested_functions_used(
    outer: FunctionCompiler, node: ast.AnonymousFunction, captured: list[str]
) -> list[str]:
    """The nested functions that the body calls, or makes handles of."""
    free = free_names(node.body, frozenset(p.name for p in node.parameters))
    return sorted((free | handle_names(node.body)) & set(outer.scope.functions) - set(captured))


def _captures(outer: FunctionCompiler, name: str) -> bool:
    if name in outer.scope.functions:
        return False
    if name in {"nargin", "nargout"} and outer.node is not None:
        return True
    return outer.scope.may_be_variable(name)


def _captured_value(outer: FunctionCompiler, name: str) -> py.expr:
    scope = outer.scope
    if not scope.is_variable(name) and name in {"nargin", "nargout"} and outer.node is not None:
        return outer.argument_count(name)
    if scope.is_local(name) and not scope.certain(name):
        scope.mark_unset(name)
        return outer.out.name(python_name(name))
    return outer.expressions.variable(name)


def _factory(
    outer: FunctionCompiler, node: ast.AnonymousFunction, captured: list[str], text: str
) -> str:
    """Compile the factory into the unit; the name under which the namespace has it."""
    parameters = tuple(p.name for p in node.parameters)
    names = Names(parameters=parameters, assigned={p for p in parameters if p != "~"})
    names.assigned |= set(captured)
    scope = Scope(names, uncertain={n for n in captured if not outer.scope.is_variable(n)})
    scope.uncertain |= outer.scope.uncertain & set(captured)
    nested = _nested_functions_used(outer, node, captured)
    scope.functions = {n: outer.scope.functions[n] for n in nested}
    scope.defined = {"varargin"} & set(parameters[-1:])
    inner = outer.inside(scope)
    inner.function_name = text
    inner.out.place(node.span)
    body = _body(inner, node)
    signature = inner.out.matlab_signature([n for n in parameters if n != "varargin"])
    function = py.FunctionDef("@", signature, body, [], None, **inner.out.where())
    taken = [inner.out.parameter(python_name(n)) for n in captured]
    taken += [inner.out.parameter(scope.functions[n]) for n in nested]
    arguments = py.arguments([], taken, None, [], [], None, [])
    made = py.FunctionDef(
        "#factory",
        arguments,
        [function, inner.out.give(inner.out.name("@"))],
        [],
        None,
        **inner.out.where(),
    )
    code = _named_in_stacks(code_of(outer.unit, made), text)
    outer.unit.anonymous |= {
        c: node for c in code.co_consts if isinstance(c, CodeType) and c.co_name == text
    }
    return outer.unit.keep_function(code)


def _body(inner: FunctionCompiler, node: ast.AnonymousFunction) -> list[py.stmt]:
    parameters = inner.scope.names.parameters
    made: list[py.stmt] = []
    if "varargin" in parameters[-1:]:
        surplus = inner.out.call("@varargin", inner.out.name("#rest"))
        made.append(inner.out.assign(inner.out.target("varargin"), surplus))
    else:
        many = inner.out.run(
            inner.out.call("@too_many_inputs", inner.out.const(inner.function_name))
        )
        made.append(inner.out.when(inner.out.name("#rest"), [many], []))
    if isinstance(node.body, _CHAIN):
        value = inner.chains.chain_with(node.body, inner.out.name("nargout"), many=False)
        return [
            *made,
            inner.out.give(
                inner.out.call("@one_or_many", value, inner.out.name("nargout"))
                if _is_list(node.body)
                else value
            ),
        ]
    value = inner.expressions.expr(node.body)
    made.append(inner.out.give(value))
    return made


def _is_list(body: ast.Expr) -> bool:
    return isinstance(body, ast.CellIndex | ast.Field | ast.DynamicField)


def _named_in_stacks(code: CodeType, text: str) -> CodeType:
    """Give the inner function the text of the handle as its name in stacks."""
    consts = tuple(
        c.replace(co_name=text) if isinstance(c, CodeType) and c.co_name == "@" else c
        for c in code.co_consts
    )
    return code.replace(co_consts=consts)
