"""Calls of functions of the same file: arguments, outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit.arrays import Operand, type_of_operand
from app.engine.jit.builder import Refused, Unknown, Val
from app.engine.jit.jit_types import Type
from app.engine.jit.variables import FIELDS
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.jit_expressions import Expressions

BLOCK = f"[{len(FIELDS)} x i64]"
"""The facts of an array in memory."""

Result = tuple[Type, str]
"""An output: its type and its place in memory."""


def parameter_type(kind: Type) -> str:
    """How an argument is passed."""
    assert kind.kind is not None
    return "ptr" if kind.array else kind.kind.llvm


def room(kind: Type) -> str:
    """The memory of an output."""
    assert kind.kind is not None
    return BLOCK if kind.array else kind.kind.llvm


def local_call(
    low: Expressions, node: ast.Expr
) -> tuple[ast.FunctionDef, tuple[ast.Expr, ...]] | None:
    """The function of the same file that ``node`` calls, and its arguments."""
    base = node.base if isinstance(node, ast.Index) else node
    if not isinstance(base, ast.Name) or base.id in low.names:
        return None
    found = low.program.local_function(base.id)
    if found is None:
        return None
    return found, node.args if isinstance(node, ast.Index) else ()


def call_local(
    low: Expressions, function: ast.FunctionDef, args: tuple[ast.Expr, ...], span: Span
) -> Operand:
    """A function of the same file inside an expression."""
    (made,) = call(low, function, args, 1, span)
    if not made[0].array:
        return scalar_result(low, made, span)
    apart = low.out.label("result.")
    low.arrays.keep_scratch(apart)
    _take_result(low, apart, made)
    kind, rows, columns = (
        made[0].kind,
        low.variables.part(apart, "r"),
        low.variables.part(apart, "c"),
    )
    assert kind is not None
    rows, columns = (
        "1" if made[0].form == form else extent
        for form, extent in (("row", rows), ("column", columns))
    )
    pages = "1"
    if made[0].inner:
        raise Refused("a function that gives an array of more than three dimensions", span)
    if made[0].form == "pages":
        pages = low.variables.pages(low.variables.part(apart, "n"), rows, columns)
    return low.arrays.array_at(kind, rows, columns, low.variables.part(apart, "p"), pages=pages)


def call(
    low: Expressions,
    node: ast.FunctionDef,
    args: tuple[ast.Expr, ...],
    outputs: int,
    span: Span,
    moved: str = "",
) -> list[Result]:
    """Call a function; leaves compiled code when a check inside it fails.

    The array ``moved``, which the result replaces, is given away rather than lent: inside a
    function nothing has to be put back when a check fails.
    """
    names = [n.id for a in args for n in walk_body((a,)) if isinstance(n, ast.Name)]
    away = moved if low.moves and names.count(moved) == 1 else ""
    given = [_argument(low, a, away) for a in args]
    made = low.program.instance(node, tuple(t for t, _ in given), outputs, span)
    if any(r is None for r in made.results):
        raise Unknown(f"'{node.name}' has no value yet", span)
    results = [r for r in made.results if r is not None]
    places = [low.out.slot(f"%r.{low.out.label('result')}", room(r)) for r in results]
    deeper = low.out.op(f"add i64 {low.depth}, 1")
    words = ["ptr %s", f"i64 {deeper}", *(f"{parameter_type(t)} {v}" for t, v in given)]
    words += [f"ptr {p}" for p in places]
    low.out.require(low.out.op(f"call i1 @{made.name}({', '.join(words)})"))
    return list(zip(results, places, strict=True))


def _argument(low: Expressions, node: ast.Expr, away: str) -> Result:
    """An argument: a scalar's register, or the place of an array's facts."""
    if isinstance(node, ast.Name) and node.id in low.names:
        kind = low.variables.type_of(node.id, node.span)
        if kind.array:
            low.variables.check_set(node.id)
            block = low.out.slot(f"%r.{low.out.label('array')}", BLOCK)
            lent = "" if node.id == away else "mo"
            low.variables.store_facts(
                block,
                (
                    "0" if which in lent else low.variables.fact(node.id, which)
                    for which, _ in FIELDS
                ),
            )
            if node.id == away:
                low.variables.set_part(node.id, "o", "0")
            return kind, block
    made = low.any_operand(node)
    if isinstance(made, Val):
        return made.type, made.text
    a = low.arrays.in_memory(made)
    block = low.out.slot(f"%r.{low.out.label('array')}", BLOCK)
    low.variables.store_facts(block, low.arrays.facts_of(a))
    return type_of_operand(a), block


def scalar_result(low: Expressions, made: Result, span: Span) -> Val:
    """An output that must be a scalar."""
    kind, place = made
    assert kind.kind is not None
    if kind.array:
        raise Refused("a function that gives an array inside an expression", span)
    return Val(kind, low.out.op(f"load {kind.kind.llvm}, ptr {place}"))


def assign_result(low: Expressions, name: str, made: Result, span: Span) -> None:
    """``name = output``."""
    kind, _ = made
    if not kind.array:
        low.variables.write(name, scalar_result(low, made, span), span)
        return
    if low.variables.note(name, kind, span).kind is not kind.kind:
        raise Refused(f"'{name}' becomes complex", span)
    _take_result(low, name, made)
    low.variables.set_flag(name)


def _take_result(low: Expressions, name: str, made: Result) -> None:
    """Hold an output that is an array under a name."""
    low.variables.free_ours(name)
    low.variables.load_facts(name, made[1])
