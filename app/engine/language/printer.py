"""Syntax tree to text: ``parse(print_file(tree))`` is the tree again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from app.engine.language import ast
from app.engine.language.ast import Statement
from app.engine.language.printer_expr import print_expr

INDENT = "    "
_PLAIN_WORD = re.compile(r"-?[A-Za-z0-9_][A-Za-z0-9_.\-/]*")

Lines = Iterator[str]


def print_file(file: ast.File) -> str:
    """The text of a whole file, without its comments."""
    lines = list(_statements(file.body))
    if file.classdef:
        lines += _class(file.classdef)
    for function in file.functions:
        lines += ["", *_function(function)] if lines else _function(function)
    return "".join(f"{line}\n" for line in lines)


def _statements(body: Iterable[Statement]) -> Lines:
    for statement in body:
        yield from _METHODS[type(statement)](statement)


def _block(body: Iterable[Statement]) -> Lines:
    return (f"{INDENT}{line}" for line in _statements(body))


def _inner(lines: Iterable[str]) -> Lines:
    return (f"{INDENT}{line}" if line else line for line in lines)


def _args(args: Iterable[ast.Expr]) -> str:
    return ", ".join(print_expr(arg) for arg in args)


def _stop(display: bool) -> str:
    return "" if display else ";"


# --- statements ---------------------------------------------------------------------------


def _expression(node: ast.ExpressionStatement) -> Lines:
    yield print_expr(node.expr) + _stop(node.display)


def _assign(node: ast.Assign) -> Lines:
    yield f"{print_expr(node.target)} = {print_expr(node.value)}{_stop(node.display)}"


def _multi_assign(node: ast.MultiAssign) -> Lines:
    yield f"[{_args(node.targets)}] = {print_expr(node.value)}{_stop(node.display)}"


def _op_assign(node: ast.OpAssign) -> Lines:
    yield f"{print_expr(node.target)} {node.op}= {print_expr(node.value)}{_stop(node.display)}"


def _command(node: ast.Command) -> Lines:
    yield " ".join([node.name, *map(_word, node.args)]) + _stop(node.display)


def _word(text: str) -> str:
    return text if _PLAIN_WORD.fullmatch(text) else "'" + text.replace("'", "''") + "'"


def _shell(node: ast.ShellEscape) -> Lines:
    yield f"!{node.command}"


def _if(node: ast.If) -> Lines:
    for word, branch in zip(["if", *["elseif"] * len(node.branches)], node.branches, strict=False):
        yield f"{word} {print_expr(branch.condition)}"
        yield from _block(branch.body)
    if node.orelse is not None:
        yield "else"
        yield from _block(node.orelse)
    yield "end"


def _for(node: ast.For) -> Lines:
    head = f"{print_expr(node.target)} = {print_expr(node.iterable)}"
    if node.workers is not None:
        yield f"parfor ({head}, {print_expr(node.workers)})"
    else:
        yield f"{'parfor' if node.parallel else 'for'} {head}"
    yield from _block(node.body)
    yield "end"


def _while(node: ast.While) -> Lines:
    yield f"while {print_expr(node.condition)}"
    yield from _block(node.body)
    yield "end"


def _do_lines(node: ast.DoUntil) -> Lines:
    yield "do"
    yield from _block(node.body)
    yield f"until {print_expr(node.condition)}"


def _switch(node: ast.Switch) -> Lines:
    yield f"switch {print_expr(node.subject)}"
    for case in node.cases:
        yield f"{INDENT}case {print_expr(case.value)}"
        yield from _inner(_block(case.body))
    if node.otherwise is not None:
        yield f"{INDENT}otherwise"
        yield from _inner(_block(node.otherwise))
    yield "end"


def _try(node: ast.Try) -> Lines:
    yield "try"
    yield from _block(node.body)
    if node.name or node.handler:
        yield f"catch {node.name}".rstrip()
        yield from _block(node.handler)
    yield "end"


def _unwind(node: ast.UnwindProtect) -> Lines:
    yield "unwind_protect"
    yield from _block(node.body)
    yield "unwind_protect_cleanup"
    yield from _block(node.cleanup)
    yield "end_unwind_protect"


def _spmd(node: ast.Spmd) -> Lines:
    yield f"spmd ({_args(node.args)})" if node.args else "spmd"
    yield from _block(node.body)
    yield "end"


def _declaration_lines(word: str) -> Callable[[Any], Lines]:
    def lines(node: ast.Global | ast.Persistent) -> Lines:
        names = (
            n.name if n.value is None else f"{n.name} = {print_expr(n.value)}" for n in node.names
        )
        yield f"{word} {' '.join(names)}"

    return lines


def _import(node: ast.Import) -> Lines:
    yield " ".join(["import", *node.names])


def _word_line(word: str) -> Callable[[Any], Lines]:
    return lambda node: iter((word,))


_METHODS: dict[type, Callable[[Any], Lines]] = {
    ast.ExpressionStatement: _expression,
    ast.Assign: _assign,
    ast.MultiAssign: _multi_assign,
    ast.OpAssign: _op_assign,
    ast.Command: _command,
    ast.ShellEscape: _shell,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.DoUntil: _do_lines,
    ast.Switch: _switch,
    ast.Try: _try,
    ast.UnwindProtect: _unwind,
    ast.Spmd: _spmd,
    ast.Global: _declaration_lines("global"),
    ast.Persistent: _declaration_lines("persistent"),
    ast.Import: _import,
    ast.Break: _word_line("break"),
    ast.Continue: _word_line("continue"),
    ast.Return: _word_line("return"),
}

# --- definitions --------------------------------------------------------------------------


def _signature(node: ast.FunctionDef | ast.Signature) -> str:
    outputs = ", ".join(p.name for p in node.outputs)
    inputs = ", ".join(_parameter(p) for p in node.inputs)
    head = (
        "" if not node.outputs else f"[{outputs}] = " if len(node.outputs) > 1 else f"{outputs} = "
    )
    return f"{head}{node.name}({inputs})"


def _parameter(node: ast.Parameter) -> str:
    return node.name if node.default is None else f"{node.name} = {print_expr(node.default)}"


def _function(node: ast.FunctionDef) -> Lines:
    yield f"function {_signature(node)}"
    for block in node.arguments:
        yield from _inner(
            _section("arguments", block.attributes, map(_declaration, block.declarations))
        )
    yield from _block(node.body)
    for inner in node.functions:
        yield ""
        yield from _inner(_function(inner))
    yield "end"


def _attributes(attributes: tuple[ast.Attribute, ...]) -> str:
    parts = (a.name if a.value is None else f"{a.name} = {print_expr(a.value)}" for a in attributes)
    return f" ({', '.join(parts)})" if attributes else ""


def _section(word: str, attributes: tuple[ast.Attribute, ...], lines: Iterable[str]) -> Lines:
    yield f"{word}{_attributes(attributes)}"
    yield from _inner(lines)
    yield "end"


def _declaration(node: ast.Declaration) -> str:
    text = f"{node.name}.{node.member}" if node.member else node.name
    if node.size is not None:
        text += f" ({_args(node.size)})"
    if node.class_name:
        text += f" {node.class_name}"
    if node.validators:
        text += f" {{{_args(node.validators)}}}"
    return text if node.default is None else f"{text} = {print_expr(node.default)}"


def _class(node: ast.ClassDef) -> Lines:
    supers = f" < {' & '.join(node.superclasses)}" if node.superclasses else ""
    yield f"classdef{_attributes(node.attributes)} {node.name}{supers}"
    for block in node.blocks:
        yield from _inner(_class_block(block))
    yield "end"


def _class_block(block: ast.ClassBlock) -> Lines:
    match block:
        case ast.PropertiesBlock():
            lines: Iterable[str] = map(_declaration, block.declarations)
            return _section("properties", block.attributes, lines)
        case ast.EventsBlock():
            return _section("events", block.attributes, block.names)
        case ast.EnumerationBlock():
            return _section("enumeration", block.attributes, map(_member, block.members))
        case ast.MethodsBlock():
            return _section("methods", block.attributes, _methods(block))


def _member(member: ast.EnumerationMember) -> str:
    return f"{member.name} ({_args(member.args)})" if member.args else member.name


def _methods(block: ast.MethodsBlock) -> Lines:
    yield from map(_signature, block.signatures)
    for function in block.functions:
        yield from _function(function)
