"""Names, calls, indexing and field access: ``f(x)``, ``a(i).b{end}(2)``, comma-separated lists.

A chain has a root and steps. What each step yields: one value, except that a brace or a field step
among arguments may yield a ``CommaList`` which is spread there. The last step gets ``nargout``.
"""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import has_end
from app.engine.interpreter.compile.emit import python_name
from app.engine.language import ast
from app.records import record

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler


@record
class EndContext:
    """What ``end`` refers to: the value indexed, position and number of subscripts."""

    base: py.expr
    position: int
    count: int


class Chains:
    """Compiles the chains of a function; see the module docstring.

    Attributes:
        ends: what ``end`` measures at this place, the innermost index last.
    """

    def __init__(self, function: FunctionCompiler) -> None:
        self.function = function
        self.out = function.out
        self.unit = function.unit
        self.scope = function.scope
        self.expressions = function.expressions
        self.ends: list[EndContext] = []

    # --- entry points ---

    def chain(self, node: ast.Expr, nargout: int = 1) -> py.expr:
        """The chain's value; for ``nargout`` other than 1 what the last step returns."""
        return self.chain_with(node, None if nargout == 1 else self.out.const(nargout))

    def chain_with(self, node: ast.Expr, nargout: py.expr | None, many: bool = False) -> py.expr:
        """The chain with a Python expression for ``nargout``; ``many`` allows a CommaList."""
        with self.out.at(node.span):
            root, steps = flatten(node)
            if isinstance(root, ast.SuperCall):
                return self._super(root, steps, nargout, many)
            if not isinstance(root, ast.Name):
                return self._steps(self.expressions.expr(root), steps, nargout, many)
            if not self.scope.may_be_variable(root.id) or root.id in self.scope.functions:
                return self._function(root.id, steps, nargout, many)
            if self.scope.certain(root.id) or not self.scope.is_local(root.id):
                return self._steps(self.expressions.variable(root.id), steps, nargout, many)
            return self._maybe(root.id, steps, nargout, many)

    def _maybe(
        self, name: str, steps: list[ast.Expr], nargout: py.expr | None, many: bool
    ) -> py.expr:
        """A variable that may be unset here: then the name means a function."""
        self.scope.mark_unset(name)
        read = self.out.name(python_name(name))
        assigned = self.scope.is_variable(name) and name not in self.scope.uncertain
        if not steps:
            made = self.out.choose(self.out.is_set(read), read, self.unset_value(name, nargout))
        elif not assigned and self._is_plain_call(steps):
            return self._either_call(name, steps, nargout, many)
        elif self.expressions.must_be_given(name):
            missing = self.out.call("@missing_input", self.out.const(name))
            made = self.out.choose(self.out.is_set(read), read, missing)
        else:
            made = self.out.choose(self.out.is_set(read), read, self._reference(name))
        if self.expressions.must_be_given(name):
            self.scope.define(name)
        return self._steps(made, steps, nargout, many)

    def unset_value(self, name: str, nargout: py.expr | None) -> py.expr:
        """What the unset variable ``name`` means as a call: a function's value or an error."""
        if self.expressions.must_be_given(name):
            return self.out.call("@missing_input", self.out.const(name))
        if name in {"nargin", "nargout"}:
            return self.function.argument_count(name)
        return self.out.call(self.expressions.link(name), nargout=nargout)

    def _is_plain_call(self, steps: list[ast.Expr]) -> bool:
        first = steps[0]
        return isinstance(first, ast.Index) and (
            bool(self.ends) or not has_end(first.args, self.scope.owns_end)
        )

    def _reference(self, name: str) -> py.expr:
        """A stand-in for the function ``name`` where a value is expected."""
        return self.out.name(self.unit.reference(name))

    def _either_call(
        self, name: str, steps: list[ast.Expr], nargout: py.expr | None, many: bool
    ) -> py.expr:
        """``f(args)`` in dynamic code: f is a function unless the workspace has it."""
        read = self.out.name(python_name(name))
        callee = self.out.choose(
            self.out.is_none(read), self.expressions.link(name), self.out.call("@as_callable", read)
        )
        first = steps[0]
        assert isinstance(first, ast.Index)
        made = self.function_call(callee, first.args, nargout if len(steps) == 1 else None)
        return self._steps(made, steps[1:], nargout, many)

    def _super(
        self, root: ast.SuperCall, steps: list[ast.Expr], nargout: py.expr | None, many: bool
    ) -> py.expr:
        args: tuple[ast.Expr, ...] = ()
        if steps and isinstance(steps[0], ast.Index):
            args, steps = steps[0].args, steps[1:]
        made = self.function.super_call(root, args, None if steps else nargout)
        return self._steps(made, steps, nargout, many)

    def spread(self, node: ast.Expr) -> list[py.expr]:
        """``node`` among arguments: one expression, starred when it may be a list."""
        if isinstance(node, ast.NameValueArgument):
            return [self.out.const(node.name), self.expressions.expr(node.value)]
        if not may_be_list(node):
            return [self.expressions.expr(node)]
        value = self.chain_with(node, None, many=True)
        name = self.out.temporary()
        with self.out.at(node.span):
            test = self.out.type_is(self.out.walrus(name, value), "@CommaList")
            single = self.out.tuple([self.out.name(name)])
            return [self.out.star(self.out.choose(test, self.out.name(name), single))]

    def end_value(self) -> py.expr:
        """``end``: the size of what is being indexed along this subscript."""
        if not self.ends:
            return self.out.call("@stray_end")
        end = self.ends[-1]
        return self.out.call(
            "@end", end.base, self.out.const(end.position), self.out.const(end.count)
        )

    # --- calls ---

    def _function(
        self, name: str, steps: list[ast.Expr], nargout: py.expr | None, many: bool
    ) -> py.expr:
        """A chain whose root is a function, a package or a class."""
        if name in {"nargin", "nargout"} and not steps:
            return self.function.argument_count(name)
        if steps and not isinstance(steps[0], ast.Index) and name not in self.scope.functions:
            return self._steps(self._reference(name), steps, nargout, many)
        first = steps[0] if steps else None
        args: tuple[ast.Expr, ...] = first.args if isinstance(first, ast.Index) else ()
        rest = steps[1:] if isinstance(first, ast.Index) else steps
        made = self.function_call(self.expressions.link(name), args, nargout if not rest else None)
        return self._steps(made, rest, nargout, many)

    def function_call(
        self, callee: py.expr, args: tuple[ast.Expr, ...], nargout: py.expr | None
    ) -> py.expr:
        """``callee(args)``: a magic colon is the text ``:`` here, in Octave a default."""
        if any(isinstance(a, ast.Colon) for a in args):
            spread = [part for arg in args for part in self.spread(arg)]
            return self.out.call("@call_with_defaults", callee, *spread, nargout=nargout)
        return self.out.call(callee, *self.arguments(args), nargout=nargout)

    def arguments(self, args: tuple[ast.Expr, ...]) -> list[py.expr]:
        """Arguments of a function call."""
        made: list[py.expr] = []
        for arg in args:
            if isinstance(arg, ast.Colon):
                made.append(self.out.const(":"))
            else:
                made += self.spread(arg)
        return made

    # --- steps ---

    def _steps(
        self, value: py.expr, steps: list[ast.Expr], nargout: py.expr | None, many: bool
    ) -> py.expr:
        """Apply ``steps`` to ``value`` one after the other."""
        position = 0
        while position < len(steps):
            last_two = self._member_call(value, steps, position, nargout)
            if last_two is not None:
                value, position = last_two
                continue
            element = self._element_field(value, steps, position, nargout, many)
            if element is not None:
                value, position = element, position + 2
                continue
            last = position == len(steps) - 1
            if last:
                value = self._step(value, steps[position], nargout, many)
            else:
                value = self._inner_step(value, steps[position])
            position += 1
        return value

    def _member_call(
        self, value: py.expr, steps: list[ast.Expr], position: int, nargout: py.expr | None
    ) -> tuple[py.expr, int] | None:
        """``.name(args)``: indexing of a field or a method call, decided by the value."""
        field = steps[position]
        if position + 1 >= len(steps) or not isinstance(field, ast.Field | ast.DynamicField):
            return None
        call = steps[position + 1]
        if not isinstance(call, ast.Index):
            return None
        last = position + 2 == len(steps)
        name = self.field_name(field)
        with self.out.at(call.span):
            if has_end(call.args, self.scope.owns_end):
                held = self.out.temporary()
                holder = self.out.walrus(held, self.out.call("@field", value, name))
                args = self.subscripts(call.args, self.out.name(held))
                made = self._indexed(holder, call.args, args, nargout if last else None)
            else:
                made = self._member(value, name, call.args, nargout if last else None)
        return made, position + 2

    def _member(
        self, value: py.expr, name: py.expr, written: tuple[ast.Expr, ...], nargout: py.expr | None
    ) -> py.expr:
        args = self.subscripts(written, None)
        only = written[0] if nargout is None and len(args) == 1 else None
        if isinstance(only, ast.Range) and only.step is None:
            assert isinstance(args[0], py.Call)
            return self.out.call("@member_range", value, name, *args[0].args)
        return self.out.call("@member", value, name, *args, nargout=nargout)

    def _element_field(
        self, value: py.expr, steps: list[ast.Expr], at: int, nargout: py.expr | None, many: bool
    ) -> py.expr | None:
        """``s(i).name`` and ``s(i, j).name`` in one go where one value is wanted."""
        if at + 1 >= len(steps):
            return None
        index, field = steps[at], steps[at + 1]
        last = at + 2 == len(steps)
        if not isinstance(index, ast.Index) or not isinstance(field, ast.Field):
            return None
        if len(index.args) not in (1, 2) or (last and (many or nargout is not None)):
            return None
        if not last and isinstance(steps[at + 2], ast.Index):
            return None
        first, again = self._indexable_value(value, index.args)
        args = self.subscripts(index.args, again)
        if len(args) != len(index.args) or any(isinstance(a, py.Starred) for a in args):
            return None
        helper = "@element_field" if len(args) == 1 else "@element_field2"
        with self.out.at(field.span):
            return self.out.call(helper, first, *args, self.out.const(field.name))

    def _inner_step(self, value: py.expr, step: ast.Expr) -> py.expr:
        """A step that is not the last."""
        if isinstance(step, ast.Field):
            with self.out.at(step.span):
                return self.out.call("@inner_field", value, self.out.const(step.name))
        return self._step(value, step, None, many=False)

    def _step(self, value: py.expr, step: ast.Expr, nargout: py.expr | None, many: bool) -> py.expr:
        with self.out.at(step.span):
            if isinstance(step, ast.Index):
                return self._paren(value, step, nargout)
            if isinstance(step, ast.CellIndex):
                return self._brace(value, step, nargout, many)
            name = self.field_name(step)
            helper = "@fields" if many or nargout is not None else "@field"
            return self.out.call(helper, value, name, nargout=nargout)

    def field_name(self, step: ast.Expr) -> py.expr:
        """The name in ``.name`` or ``.(name)``."""
        if isinstance(step, ast.Field):
            return self.out.const(step.name)
        assert isinstance(step, ast.DynamicField)
        return self.out.call("@field_name", self.expressions.expr(step.name))

    def _indexable_value(
        self, value: py.expr, args: tuple[ast.Expr, ...]
    ) -> tuple[py.expr, py.expr | None]:
        """``value`` ready to be indexed and, when ``end`` occurs, how to read it again."""
        if not has_end(args, self.scope.owns_end):
            return value, None
        if isinstance(value, py.Name):
            return value, value
        name = self.out.temporary()
        return self.out.walrus(name, value), self.out.name(name)

    def _paren(self, value: py.expr, step: ast.Index, nargout: py.expr | None) -> py.expr:
        first, again = self._indexable_value(value, step.args)
        args = self.subscripts(step.args, again)
        return self._indexed(first, step.args, args, nargout)

    def _indexed(
        self,
        first: py.expr,
        written: tuple[ast.Expr, ...],
        args: list[py.expr],
        nargout: py.expr | None,
    ) -> py.expr:
        """A value at subscripts, as they are written and as they are made."""
        starred = any(isinstance(a, py.Starred) for a in args)
        if nargout is None and len(args) == 1 and isinstance(only := written[0], ast.Range):
            assert isinstance(args[0], py.Call)
            helper = "@paren_range" if only.step is None else "@paren_steps"
            return self.out.call(helper, first, *args[0].args)
        if nargout is None and not starred and len(args) in {1, 2}:
            block = self.block_subscripts(written, args)
            helper = f"@paren{len(args)}" if block is None else "@paren_block"
            return self.out.call(helper, first, *(block or args))
        return self.out.call("@paren", first, *args, nargout=nargout)

    def _brace(
        self, value: py.expr, step: ast.CellIndex, nargout: py.expr | None, many: bool
    ) -> py.expr:
        first, again = self._indexable_value(value, step.args)
        args = self.subscripts(step.args, again)
        if many or nargout is not None:
            return self.out.call("@braces", first, *args, nargout=nargout)
        if len(args) == 1 and not isinstance(args[0], py.Starred):
            return self.out.call("@brace1", first, *args)
        return self.out.call("@brace", first, *args)

    def subscripts(self, args: tuple[ast.Expr, ...], base: py.expr | None) -> list[py.expr]:
        """Subscripts; ``base`` re-reads the value that ``end`` measures."""
        made: list[py.expr] = []
        for position, arg in enumerate(args):
            if base is not None:
                self.ends.append(EndContext(base, position, len(args)))
            made += self._name_and_value(arg) or self.spread(arg)
            if base is not None:
                self.ends.pop()
        return made

    def block_subscripts(
        self, written: tuple[ast.Expr, ...], made: list[py.expr]
    ) -> list[py.expr] | None:
        """Two subscripts with pairs of ends for what is written ``a:b``; None without any."""
        ranges = [isinstance(a, ast.Range) and a.step is None for a in written]
        if len(made) != 2 or not any(ranges):
            return None
        return [
            self._ends(sub) if is_range else sub for is_range, sub in zip(ranges, made, strict=True)
        ]

    def _ends(self, made: py.expr) -> py.expr:
        """The ends of a range as a pair."""
        assert isinstance(made, py.Call)
        return self.out.tuple(made.args)

    def _name_and_value(self, node: ast.Expr) -> list[py.expr]:
        """``name=value`` among subscripts, where Python tells names from texts; else nothing."""
        if not isinstance(node, ast.NameValueArgument):
            return []
        name = self.unit.constant("argument name", node.name)
        return [self.out.name(name), self.expressions.expr(node.value)]


def flatten(node: ast.Expr) -> tuple[ast.Expr, list[ast.Expr]]:
    """Root and steps of a chain."""
    steps: list[ast.Expr] = []
    while isinstance(node, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
        steps.append(node)
        node = node.base
    return node, steps[::-1]


def may_be_list(node: ast.Expr) -> bool:
    """True when ``node`` among arguments may stand for none or several values."""
    if isinstance(node, ast.CellIndex):
        return not all(isinstance(a, ast.Number | ast.End) for a in node.args) or not node.args
    return isinstance(node, ast.Field | ast.DynamicField)
