"""The variables of a ``parfor`` body, classified as MATLAB does, and what is wrong with it.

==========  =====================================================================================
loop        the counter: read only
sliced      used only as ``x(…)`` or ``x{…}`` with the same subscripts everywhere, one of them the
            counter (or the counter plus or minus a constant); what is assigned comes back
broadcast   only read: every worker has the whole of it
reduction   appears only in statements ``x = x + expr`` and their kin, always the same operation
temporary   set as a whole in the pass before it is read; gone when the pass ends
==========  =====================================================================================

Source: MathWorks' pages on the classification of variables in ``parfor`` loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from app.engine.language import ast
from app.engine.language.parfor_uses import Use, Uses, names_written
from app.engine.language.printer_expr import print_expr
from app.engine.language.walk import children, statements, walk
from app.records import record
from app.source import Span

FORBIDDEN = {
    **dict.fromkeys(
        ("eval", "evalc", "evalin", "assignin", "clear", "clearvars", "save", "who", "whos"),
        "it would look at or change variables by name",
    ),
    **dict.fromkeys(
        ("keyboard", "dbstop", "syms", "inputname", "run", "input"),
        "it needs the session's own workspace",
    ),
}
"""Functions that have no meaning in a pass that runs in another workspace, with the reason."""

NOWHERE = Span(0, 0)


class Kind(StrEnum):
    """The class of a variable."""

    LOOP = "loop"
    SLICED = "sliced"
    BROADCAST = "broadcast"
    REDUCTION = "reduction"
    TEMPORARY = "temporary"


@record
class Variable:
    """One variable of a body.

    Attributes:
        name: the name.
        kind: its class.
        written: whether a sliced variable is assigned.
        form: how a sliced variable is indexed where it is assigned first: ``()`` or ``{}``.
        position: which of its subscripts has the counter, from 0.
        count: how many subscripts there are.
        offset: what is added to the counter there; None for nothing.
        operation: of a reduction.
        doubtful: whether a temporary may be read in a pass that has not set it.
        span: where it is used first.
    """

    name: str
    kind: Kind
    written: bool = False
    form: str = ""
    position: int = 0
    count: int = 0
    offset: ast.Expr | None = None
    operation: str = ""
    doubtful: bool = False
    span: Span = NOWHERE


@record
class Problem:
    """Why a loop cannot run as ``parfor``.

    Attributes:
        span: the place.
        message: the variable and the rule that it breaks.
    """

    span: Span
    message: str


@record
class ParforBody:
    """What is known of one ``parfor``.

    Attributes:
        node: the loop.
        counter: the name of its counter.
        variables: by name, in the order of their first use.
        problems: why it cannot run; empty where it can.
    """

    node: ast.For
    counter: str
    variables: dict[str, Variable] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def of_kind(self, kind: Kind) -> list[Variable]:
        """The variables of one class."""
        return [v for v in self.variables.values() if v.kind is kind]


def parfor_loops(node: ast.Node) -> Iterator[tuple[ast.For, frozenset[str]]]:
    """The outermost ``parfor`` loops below ``node``, with the nested functions in reach."""
    stack: list[tuple[ast.Node, frozenset[str]]] = [(node, frozenset())]
    while stack:
        current, nested = stack.pop()
        if isinstance(current, ast.For) and current.parallel:
            yield current, nested
            continue
        if isinstance(current, ast.FunctionDef):
            nested |= {f.name for f in current.functions}
        stack += [(child, nested) for child in reversed(children(current))]


def classify(node: ast.For, nested: frozenset[str] = frozenset()) -> ParforBody:
    """The variables of a ``parfor``; ``nested`` names the nested functions in its reach."""
    if not isinstance(node.target, ast.Name):
        rule = "Rule: the counter is a plain variable."
        text = f"A parfor loop cannot count in '{print_expr(node.target)}'. {rule}"
        return ParforBody(node, "", {}, (Problem(node.target.span, text),))
    counter = node.target.id
    problems = [*_range(node), *_statements(node.body, nested)]
    by_name: dict[str, list[Use]] = {}
    for use in Uses(node.body).found:
        by_name.setdefault(use.name, []).append(use)
    variables = {counter: Variable(counter, Kind.LOOP, span=node.target.span)}
    problems += _counter(counter, by_name.pop(counter, []))
    local = names_written(node.body)
    for name, uses in by_name.items():
        found = _classification(name, uses, counter, local)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            variables[name] = found
    return ParforBody(node, counter, variables, tuple(sorted(problems, key=lambda p: p.span)))


# --- the loop itself ---


def _range(node: ast.For) -> Iterator[Problem]:
    values = node.iterable
    if not isinstance(values, ast.Range) or values.step is None:
        return
    step = values.step
    if isinstance(step, ast.Number) and step.value == 1:
        return
    if isinstance(step, ast.Number | ast.Unary):
        rule = "Rule: the range of a parfor is whole numbers that rise by one."
        text = f"parfor cannot run over '{print_expr(values)}'. {rule}"
        yield Problem(values.span, text)


def _counter(counter: str, uses: list[Use]) -> Iterator[Problem]:
    for use in uses:
        if use.write:
            rule = "Rule: the counter of a parfor is only read in its body."
            yield Problem(use.span, f"The loop variable '{counter}' is assigned here. {rule}")


def _statements(body: tuple[ast.Statement, ...], nested: frozenset[str]) -> Iterator[Problem]:
    for statement in body:
        yield from _jumps(statement)
        for node in walk(statement):
            yield from _forbidden(node, nested)


def _jumps(statement: ast.Statement) -> Iterator[Problem]:
    loops = [n for n in statements(statement) if isinstance(n, ast.For | ast.While | ast.DoUntil)]
    own = {id(n) for loop in loops for n in statements(loop)}  # a break in these stays inside
    for node in statements(statement):
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break) and id(node) not in own):
            word = "return" if isinstance(node, ast.Return) else "break"
            rule = "Rule: every pass of a parfor runs; use a for loop to stop early."
            yield Problem(node.span, f"'{word}' cannot leave a parfor. {rule}")


def _forbidden(node: ast.Node, nested: frozenset[str]) -> Iterator[Problem]:
    match node:
        case ast.Global(names=names) | ast.Persistent(names=names):
            word = "global" if isinstance(node, ast.Global) else "persistent"
            rule = f"Rule: a parfor declares no {word} variables; a function that it calls may."
            yield Problem(node.span, f"'{names[0].name}' is declared {word} here. {rule}")
        case ast.Spmd():
            yield Problem(node.span, "Rule: spmd cannot stand in the body of a parfor.")
        case ast.Command(name=name) | ast.Name(id=name) if name in FORBIDDEN:
            text = f"'{name}' cannot be used in a parfor: {FORBIDDEN[name]}. {_BY_TEXT}"
            yield Problem(node.span, f"{text} call it in a function.")
        case (
            ast.Command(name="load")
            | ast.ExpressionStatement(expr=ast.Index(base=ast.Name(id="load")))
        ):
            text = f"'load' without an output makes variables by name. {_BY_TEXT}"
            yield Problem(node.span, f"{text} write s = load(…).")
        case ast.Name(id=name) if name in nested:
            yield Problem(node.span, _nested_function_text(name))
        case ast.FunctionHandle(name=name) if name in nested:
            yield Problem(node.span, _nested_function_text(name))
        case _:
            pass


_BY_TEXT = "Rule: the variables of a parfor are known from its text;"


def _nested_function_text(name: str) -> str:
    return (
        f"'{name}' is a nested function. Rule: a parfor cannot call nested functions, which share "
        "variables; make it a local function."
    )


# --- one variable ---


def _classification(
    name: str, uses: list[Use], counter: str, local: set[str]
) -> Variable | Problem:
    writes = [u for u in uses if u.write]
    if not writes:
        return _read_only(name, uses, counter, local)
    if any(u.reduction for u in uses):
        if all(u.reduction for u in uses):
            return _reduction(name, uses)
        if not _is_made(uses):
            return _misuse_of_reduction(name, uses)
    if any(u.form == "whole" for u in writes):
        return _temporary(name, uses)
    return _sliced_output(name, uses, counter, local)


def _read_only(name: str, uses: list[Use], counter: str, local: set[str]) -> Variable:
    first = uses[0]
    plain = all(u.form in ("()", "{}") and not u.hidden for u in uses)
    if plain and len({u.subscripts for u in uses}) == 1:
        found = _slice(name, first, counter, local)
        if isinstance(found, Variable):
            return found
    return Variable(name, Kind.BROADCAST, span=first.span)


def _reduction(name: str, uses: list[Use]) -> Variable | Problem:
    kinds = list(dict.fromkeys(u.reduction for u in uses))
    if len(kinds) > 1:
        other = next(u for u in uses if u.reduction != kinds[0])
        rule = "Rule: a reduction variable has the same operation in all its statements."
        text = f"'{name}' is a reduction by '{kinds[0]}' and by '{kinds[1]}'. {rule}"
        return Problem(other.span, text)
    return Variable(name, Kind.REDUCTION, operation=kinds[0], span=uses[0].span)


def _is_made(uses: list[Use]) -> bool:
    """Whether a pass gives a value to what it joins something to, before it needs one."""
    needs = (u for u in uses if u.reduction or not u.write)
    made = any(u.write and not u.reduction and u.form == "whole" for u in uses)
    return made and not any(u.unset for u in needs)


def _misuse_of_reduction(name: str, uses: list[Use]) -> Problem:
    other = next(u for u in uses if not u.reduction)
    what = "assigned in another way" if other.write else "used outside of them"
    rule = "Rule: a reduction variable appears in nothing but statements such as 'x = x + expr'."
    return Problem(other.span, f"'{name}' is a reduction variable, but {what} here. {rule}")


def _temporary(name: str, uses: list[Use]) -> Variable | Problem:
    early = next((u for u in uses if u.unset and (not u.write or u.form != "whole")), None)
    if early is not None:
        rule = (
            "Rule: a temporary variable is set in every pass before it is used, and keeps nothing "
            "from pass to pass."
        )
        return Problem(early.span, f"'{name}' is used here before this pass has set it. {rule}")
    doubtful = any(u.doubtful and (not u.write or u.form != "whole") for u in uses)
    return Variable(name, Kind.TEMPORARY, doubtful=doubtful, span=uses[0].span)


def _sliced_output(name: str, uses: list[Use], counter: str, local: set[str]) -> Variable | Problem:
    first = next(u for u in uses if u.write)
    found = _slice(name, first, counter, local)
    if isinstance(found, Problem):
        return found
    for use in uses:
        if use.hidden:
            rule = "Rule: a sliced variable that is assigned is not used in an anonymous function."
            return Problem(use.span, f"'{name}' is captured by an anonymous function. {rule}")
        if use.form not in ("()", "{}"):
            what = "as a whole" if use.form == "whole" else "by a field"
            text = f"'{name}' is assigned by elements and used {what} here. {_SAME}"
            return Problem(use.span, text)
        if use.deletes:
            rule = "Rule: passes do not change the size of a sliced variable."
            return Problem(use.span, f"Elements of '{name}' are removed here. {rule}")
        if use.subscripts != first.subscripts:
            mine, other = _use_text(name, first), _use_text(name, use)
            text = f"'{name}' is indexed in different ways: '{mine}' and '{other}'. {_SAME}"
            return Problem(use.span, text)
    return found


_SAME = "Rule: a sliced variable has the same subscripts wherever it is used."


def _use_text(name: str, use: Use) -> str:
    return f"{name}{use.form[:1]}{use.subscripts}{use.form[1:]}"


def _slice(name: str, use: Use, counter: str, local: set[str]) -> Variable | Problem:
    """The variable as one that this use slices, or what keeps it from that."""
    if use.form == ".":
        rule = "Rule: a temporary struct is made as a whole in the pass, with struct(…)."
        return Problem(use.span, f"A field of '{name}' is assigned, which no pass has made. {rule}")
    own = [k for k, arg in enumerate(use.args) if _mentions(arg, counter)]
    shown = _use_text(name, use)
    if len(own) != 1:
        rule = (
            f"Rule: what passes assign is sliced, so exactly one subscript is the loop variable "
            f"'{counter}', or it plus or minus a constant."
        )
        return Problem(use.span, f"'{name}' cannot be classified: '{shown}' is assigned. {rule}")
    position = own[0]
    matched, offset = _offset(use.args[position], counter, local)
    if not matched:
        rule = f"Rule: it is sliced by '{counter}', '{counter}+k' or '{counter}-k', k a constant."
        text = f"'{name}' cannot be classified: '{shown}' is assigned. {rule}"
        return Problem(use.args[position].span, text)
    for k, arg in enumerate(use.args):
        if k != position and not _constant(arg, use, local):
            rule = (
                "Rule: the other subscripts of a sliced variable are constants, ':', 'end' or "
                "counters of for loops in the body."
            )
            text = (
                f"'{name}' cannot be classified: '{print_expr(arg)}' in '{shown}' changes. {rule}"
            )
            return Problem(arg.span, text)
    return Variable(
        name,
        Kind.SLICED,
        written=use.write,
        form=use.form,
        position=position,
        count=len(use.args),
        offset=offset,
        span=use.span,
    )


def _mentions(node: ast.Node, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(node))


def _offset(arg: ast.Expr, counter: str, local: set[str]) -> tuple[bool, ast.Expr | None]:
    """Whether a subscript is the counter plus a constant, and that constant."""
    match arg:
        case ast.Name(id=name) if name == counter:
            return True, None
        case ast.Binary(op="+", left=ast.Name(id=name), right=k) if name == counter:
            return _is_constant(k, local), k
        case ast.Binary(op="+", left=k, right=ast.Name(id=name)) if name == counter:
            return _is_constant(k, local), k
        case ast.Binary(op="-", left=ast.Name(id=name), right=k) if name == counter:
            return _is_constant(k, local), ast.Unary(k.span, "-", k)
        case _:
            return False, None


def _is_constant(node: ast.Expr, local: set[str]) -> bool:
    """A number, or a variable that the body does not set."""
    if isinstance(node, ast.Number):
        return True
    return isinstance(node, ast.Name) and node.id not in local


def _constant(arg: ast.Expr, use: Use, local: set[str]) -> bool:
    """Whether a subscript beside the sliced one is the same list in every pass."""
    match arg:
        case ast.Colon() | ast.End():
            return True
        case ast.Name(id=name) if name in use.loops:
            return True
        case ast.Range(start=start, stop=stop, step=step):
            parts = (start, stop) if step is None else (start, stop, step)
            return all(isinstance(p, ast.End) or _is_fixed(p, local) for p in parts)
        case _:
            return _is_fixed(arg, local)


def _is_fixed(arg: ast.Expr, local: set[str]) -> bool:
    """Whether an expression is made of numbers and of variables that the body does not set."""
    if isinstance(arg, ast.Binary):
        return _is_fixed(arg.left, local) and _is_fixed(arg.right, local)
    if isinstance(arg, ast.Matrix):
        return all(_is_fixed(item, local) for row in arg.rows for item in row)
    return _is_constant(arg, local) or isinstance(arg, ast.Char)
