"""Loops to basic blocks: ``while``, and ``for`` over a range, whose counter is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_ranges import count_of
from app.engine.jit.jit_types import C128, COLUMNS, DOUBLE, F64, SCALARS
from app.engine.jit.undoing import Undo
from app.engine.jit.variables import EMPTY_ROW
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.records import record

if TYPE_CHECKING:
    from app.engine.jit.jit_statements import Path, Statements
    from app.source import Span

LOOP = "loop"
"""The step of a path from a loop to its body."""

MOST_NESTED = 12
"""Loops in one another; every one is looked through by all that are around it."""


@record
class Loop:
    """A loop around the current statement: where ``break`` and ``continue`` go."""

    after: str
    onward: str


def forget_counters(code: Statements, body: tuple[ast.Statement, ...]) -> None:
    """Counters of loops inside may be empty when a pass begins again."""
    for name in code.program.counters(body):
        code.variables.defined.discard(name)


def _poll(code: Statements, path: Path) -> None:
    """At the start of a pass: stop here when the user asked for it."""
    code.path = (*path, 0)
    if code.anchor is None:
        code.here, code.undo = None, Undo()
    code.look_up()
    if code.anchor is None:
        code.here = None


def compile_while(code: Statements, node: ast.While) -> None:
    """``while`` inside a loop or function."""
    test, after = code.out.label("while"), code.out.label("endwhile")
    path = code.path
    while_passes(code, node, path, (*path, LOOP), test, after)


def while_passes(
    code: Statements, node: ast.While, path: Path, inside: Path, test: str, after: str
) -> None:
    """Pass after pass of the loop at ``path``, whose body is ``inside``, then ``after``."""
    forget_counters(code, node.body)
    body = code.out.label("body")
    code.out.start(test)
    code.path = path
    if code.anchor is None:
        code.here = None
        code.keep_values(node)
    code.frame.mark_draws(node.condition)
    code.low.branch_on(node.condition, body, after)
    before = set(code.variables.defined)
    code.out.start(body)
    _compile_body(code, node.body, inside, Loop(after, test))
    code.out.jump(test)
    code.out.start(after)
    code.variables.defined = before


def _compile_body(
    code: Statements, body: tuple[ast.Statement, ...], path: Path, loop: Loop
) -> None:
    """A pass over the body at ``path``."""
    if len(code.loops) >= MOST_NESTED:
        raise Refused(f"more than {MOST_NESTED} loops in one another")
    _poll(code, path)
    code.loops.append(loop)
    code.block(body, path)
    code.loops.pop()


def compile_for(code: Statements, node: ast.For) -> None:
    """``for`` over a range or a row inside a loop or function."""
    if not isinstance(node.target, ast.Name):
        raise Refused("a loop over something else than a range", node.span)
    if not isinstance(node.iterable, ast.Range):
        _compile_list(code, node, node.target.id)
        return
    span = node.iterable
    start = code.low.value(span.start)
    step = number(1.0) if span.step is None else code.low.value(span.step)
    stop = code.low.value(span.stop)
    if {
        code.low.arithmetic.kind(start),
        code.low.arithmetic.kind(step),
        code.low.arithmetic.kind(stop),
    } != {F64}:
        raise Refused("a loop over another class than double", node.span)
    name = node.target.id
    code.variables.note(name, start.type, node.span)
    _start_counter(code, node, start, step, stop)
    _counted_passes(code, node, name, code.inner[code.path], code.path)


def lists_in(node: ast.For | ast.While) -> dict[int, str]:
    """What holds the rows that loops inside go through: names by the identity of their trees."""
    found = [
        n
        for n in walk_body(node.body)
        if isinstance(n, ast.For) and not n.parallel and not isinstance(n.iterable, ast.Range)
    ]
    return {id(n): f"list-{k}" for k, n in enumerate(found)}


def _compile_list(code: Statements, node: ast.For, name: str) -> None:
    """``for`` over the elements of a row, which is kept as it was when the loop began."""
    low, out = code.low, code.out
    given = low.operand(node.iterable)
    if isinstance(given, Val):
        only = given
        given = Array(low.arithmetic.kind(given), "1", "1", lambda k: only)
    if given.kind is C128:
        raise Refused("a loop over complex numbers", node.span)
    span = node.iterable.span
    upright = given.rows != "1" and (given.rows.isdigit() or code.program.is_matrix(span))
    if given.rows != "1" and not upright:
        code.program.require_guess(out, out.op(f"icmp eq i64 {given.rows}, 1"), span)
    if upright:
        out.require(out.op(f"icmp ugt i64 {given.rows}, 0"))
    if upright or given.kind is not F64:  # the variable is empty, in its own way, after no pass
        out.require(out.op(f"icmp ugt i64 {given.columns}, 0"))
    held = code.lists.get(id(node))
    if held is None:
        held = f"list-{len(code.inner)}"
        low.arrays.keep_scratch(held)
    kinds = COLUMNS if upright else SCALARS
    code.variables.note(name, kinds[given.kind.name], node.span)
    low.arrays.write_array(held, given if upright else replace(given, rows="1"), node.span)
    which = code.inner.setdefault(code.path, len(code.inner) + 1)
    if code.anchor is None:
        code.listed[which] = held
    out.store(f"%n.{which}", "i64", code.variables.part(held, "c"))
    out.store(f"%k.{which}", "i64", "0")

    def take(k: str) -> None:
        if upright:
            _take_column(code, name, held, k, node.span)
            return
        element = code.variables.element(code.variables.part(held, "p"), k, given.kind)
        code.variables.write(name, element, node.span)

    _counted_passes(code, node, name, which, code.path, take)


def _take_column(code: Statements, name: str, held: str, k: str, span: Span) -> None:
    """The variable becomes a column of the matrix that is held."""
    rows, kind = code.variables.part(held, "r"), code.variables.env[held].kind
    assert kind is not None
    first = code.out.op(f"mul i64 {k}, {rows}")
    data = code.variables.part(held, "p")
    place = code.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {first}")
    code.low.arrays.write_array(name, code.low.arrays.array_at(kind, rows, "1", place), span)


def _start_counter(code: Statements, node: ast.For, start: Val, step: Val, stop: Val) -> None:
    """Count the passes and store what tells them apart."""
    number_of = code.inner.setdefault(code.path, len(code.inner) + 1)
    assert isinstance(node.iterable, ast.Range)
    count = count_of(code.out, node.iterable, start, step, stop)
    whole = _is_whole_counter(code, step) or _is_subscript(code, node)
    for which, value in (("a", start), ("s", step)):
        slot = f"%{which}.{number_of}"
        if whole:
            text = value.whole or code.low.arithmetic.whole_of(value.text, 2.0**52)
            code.out.store(slot, "i64", text)
        else:
            code.out.store(slot, "double", value.text)
    if whole:
        code.out.require(code.out.op(f"icmp slt i64 {count}, {1 << 50}"))
    code.out.store(f"%n.{number_of}", "i64", count)
    code.out.store(f"%k.{number_of}", "i64", "0")


def _is_whole_counter(code: Statements, step: Val) -> bool:
    """True when the counter is taken to be whole: it is checked when the loop begins."""
    return step.const is not None and step.const.is_integer() and abs(step.const) < 1024


def _is_subscript(code: Statements, node: ast.For) -> bool:
    """True when the body takes elements at the counter, which then has to be whole."""
    assert isinstance(node.target, ast.Name)
    name = node.target.id
    return any(
        isinstance(n, ast.Index)
        and isinstance(n.base, ast.Name)
        and n.base.id in code.variables.array_names
        and any(isinstance(a, ast.Name) and a.id == name for a in n.args)
        for n in walk_body(node.body)
    ) and not code.program.assigns(node.body, name)


def _counted_passes(
    code: Statements,
    node: ast.For,
    name: str,
    which: int,
    path: Path,
    take: Callable[[str], None] | None = None,
) -> None:
    """The passes of a loop whose counter has been stored."""
    test, after, none = (code.out.label(h) for h in ("for", "endfor", "none"))
    before = set(code.variables.defined)
    total = code.out.load(f"%n.{which}", "i64")
    code.out.branch(code.out.op(f"icmp sgt i64 {total}, 0"), test, none)
    code.out.start(none)
    code.variables.set_flag(name, EMPTY_ROW)
    code.out.jump(after)
    for_passes(code, node, name, which, (*path, LOOP), test, after, take)
    code.variables.defined = before - {name}


def for_passes(
    code: Statements,
    node: ast.For,
    name: str,
    which: int,
    path: Path,
    test: str,
    after: str,
    take: Callable[[str], None] | None = None,
) -> None:
    """Pass after pass of the body at ``path`` from the present one on, then ``after``.

    ``take`` sets the variable for the pass of a number from 0; it counts where there is none.
    """
    whole = code.out.slots.get(f"%a.{which}") == "i64"
    body, onward = code.out.label("body"), code.out.label("onward")
    forget_counters(code, node.body)
    code.out.start(test)
    k = code.out.load(f"%k.{which}", "i64")
    more = code.out.op(f"icmp slt i64 {k}, {code.out.load(f'%n.{which}', 'i64')}")
    code.out.branch(more, body, after, likely=True)
    code.out.start(body)
    if take is None:
        _count_to(code, name, which, k, whole, node)
    else:
        take(k)
    _compile_body(code, node.body, path, Loop(after, onward))
    code.out.jump(onward)
    code.out.start(onward)
    code.variables.wholes.pop(name, None)
    k = code.out.op(f"add nsw i64 {code.out.load(f'%k.{which}', 'i64')}, 1")
    code.out.store(f"%k.{which}", "i64", k)
    code.out.jump(test)
    code.out.start(after)


def _count_to(code: Statements, name: str, which: int, k: str, whole: bool, node: ast.For) -> None:
    """Set the counter of pass ``k``."""
    found = code.variables.env[name]
    kind = "i64" if whole else "double"
    start, step = code.out.load(f"%a.{which}", kind), code.out.load(f"%s.{which}", kind)
    if whole:
        moved = code.out.op(f"mul nsw i64 {k}, {step}")
        code.out.store(f"%w.{which}", "i64", code.out.op(f"add nsw i64 {start}, {moved}"))
        x = code.out.op(f"sitofp i64 {code.out.load(f'%w.{which}', 'i64')} to double")
    else:
        at = code.out.op(f"sitofp i64 {k} to double")
        x = code.out.op(f"fadd double {start}, {code.out.op(f'fmul double {at}, {step}')}")
    code.variables.write(name, Val(DOUBLE, x), node.span)
    if whole and not code.program.assigns(node.body, name) and not found.array:
        code.variables.wholes[name] = f"%w.{which}"
