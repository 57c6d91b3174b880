"""Functions in the place of their calls: methods, handles, functions of other files, and those that
take or give containers.

Every call has the function's variables under names of its own. Functions of numbers and arrays in
the same file stay calls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import names_of_function, names_of_script
from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import CELL, Called, Members, part_name
from app.engine.jit.function_lookup import Found, Functions
from app.engine.jit.inline_scopes import Scope
from app.engine.jit.trees import Inlined, as_statement
from app.engine.language import ast
from app.records import mutable_record

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.container_shapes import Looker
    from app.engine.jit.flattening import Flattener
    from app.source import Span

DEEPEST, MOST_CALLS = 8, 128
"""Calls inside one another that are inlined, and all that one loop inlines."""

Args = tuple[ast.Expr, ...]


@mutable_record
class Call:
    """A call whose function stands in its place.

    Attributes:
        span: where it is.
        body: what is done.
        fresh: variables of its own.
        effects: variables of others that it assigns.
        results: the names of its outputs.
        value: its value, where that is no variable.
    """

    span: Span
    body: tuple[ast.Statement, ...]
    fresh: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    value: ast.Expr | None = None

    def expression(self, result: ast.Expr | None) -> Inlined:
        """The node with a value, or without one."""
        return Inlined(self.span, self.body, self.fresh, self.effects, result)


class Inliner:
    """Puts functions in the place of their calls.

    Attributes:
        files: those of the loop and of all functions that were inlined.
    """

    def __init__(self, flattener: Flattener, look: Looker) -> None:
        self.flattener = flattener
        self.places = flattener.places
        self.parts = flattener.parts
        self.look = look
        self.functions = Functions(flattener.scope.unit, flattener.parts, look.classes)
        self.files = {flattener.scope.unit.source.name}
        self._kept: dict[int, Call] = {}
        self._count = 0

    def keep(self, node: ast.Expr, called: Call) -> None:
        """The call is asked for again."""
        self._kept[id(node)] = called

    def call(self, node: ast.Expr, outputs: int, scope: Scope) -> Call | None:
        """The call that an expression is, with its function in its place; None where it stays."""
        kept = self._kept.pop(id(node), None)
        if kept is not None:
            return kept
        base, args = (node.base, node.args) if isinstance(node, ast.Index) else (node, ())
        if isinstance(base, ast.Name) and base.id not in scope.variables:
            return self._call_by_name(base.id, args, outputs, scope, node.span)
        flat = self.parts.place(base, scope)
        inside = self.places.inside(flat)
        if isinstance(inside, Called) and isinstance(node, ast.Index):
            return self._handle(flat, inside, args, outputs, scope, node.span)
        member = self.functions.member(base, scope) if isinstance(base, ast.Field) else None
        if member is None or not isinstance(base, ast.Field):
            return None
        given = (base.base, *args) if member[1] else args
        return self.inline(member[0], given, outputs, scope, node.span)

    def _call_by_name(
        self, name: str, args: Args, outputs: int, scope: Scope, span: Span
    ) -> Call | None:
        method = self.functions.method_of(name, args, scope)
        if method is not None:
            return self.inline(method, args, outputs, scope, span)
        means = ast.Name(span, name)
        if args and scope.is_builtin(means, "feval"):
            return self._feval(args, outputs, scope, span)
        if scope.is_builtin(means, "deal"):
            return self._deal(args, outputs, scope, span)
        found = self.functions.in_file(name, scope.unit)
        if found is None or self.functions.stays(found, args, scope):
            return None
        return self.inline(found, args, outputs, scope, span)

    def _feval(self, args: Args, outputs: int, scope: Scope, span: Span) -> Call | None:
        """A call by name or handle."""
        flat = self.parts.place(args[0], scope)
        inside = self.places.inside(flat)
        if isinstance(inside, Called):
            return self._handle(flat, inside, args[1:], outputs, scope, span)
        if not isinstance(args[0], ast.Char):
            return None
        name = args[0].value
        found = self._call_by_name(name, args[1:], outputs, scope, span)
        return found or self._other_name(name, args[1:], outputs, scope, span)

    def _deal(self, args: Args, outputs: int, scope: Scope, span: Span) -> Call:
        if len(args) not in {1, outputs}:
            raise Refused("'deal' of other outputs", span)
        prefix = self.flattener.fresh_name("deal")
        before = set(self.places.local)
        body: list[ast.Statement] = []
        for k in range(outputs):
            body += self.flattener.wholes.bind(f"{prefix}.{k}", args[min(k, len(args) - 1)], scope)
        results = tuple(f"{prefix}.{k}" for k in range(outputs))
        return Call(span, tuple(body), self._new_locals(before), results=results)

    # --- handles ---

    def _handle(
        self, flat: str, handle: Called, args: Args, outputs: int, scope: Scope, span: Span
    ) -> Call:
        """A call through a handle."""
        known = self.look.functions.get(handle.node)
        if known is None:
            found = self._call_by_name(handle.name, args, outputs, scope, span)
            return found or self._other_name(handle.name, args, outputs, scope, span)
        function, unit = known
        if isinstance(function, ast.AnonymousFunction):
            inner = self._scope(unit, "handle", function, scope, set(handle.keys), span)
            inner.bound = {k: self.places.resolve(part_name(flat, k)) for k in handle.keys}
            return self._anonymous(function, inner, args, outputs, scope, span)
        if self.functions.stays((function, unit), args, scope):
            return self._other_name(handle.name, args, outputs, scope, span)
        return self.inline((function, unit), args, outputs, scope, span)

    def _other_name(self, name: str, args: Args, outputs: int, scope: Scope, span: Span) -> Call:
        """A call by a handle that stays a call, by its function's name."""
        if name in self.flattener.names:
            raise Refused("a handle whose function has the name of a variable", span)
        self.check_name(name, scope, span)
        given = tuple(self.flattener.expr(a, scope) for a in args)
        call = ast.Index(span, ast.Name(span, name), given)
        if outputs <= 1:
            return Call(span, (), value=call)
        prefix = self.flattener.fresh_name(name)
        results = tuple(f"{prefix}.{k}" for k in range(outputs))
        self.places.local.update(dict.fromkeys(results))
        body = ast.MultiAssign(span, tuple(ast.Name(span, r) for r in results), call)
        return Call(span, (body,), results, results=results)

    def _anonymous(
        self,
        node: ast.AnonymousFunction,
        inner: Scope,
        args: Args,
        outputs: int,
        scope: Scope,
        span: Span,
    ) -> Call:
        parameters = [p.name for p in node.parameters]
        if len(args) != len(parameters) or "varargin" in parameters:
            raise Refused("a call of a handle with other arguments than it has", span)
        inner.variables |= set(parameters)
        for p in parameters:
            inner.bound.pop(p, None)
        before, kept = set(self.places.local), self.flattener.begin_effects()
        body: list[ast.Statement] = []
        for p, a in zip(parameters, args, strict=True):
            body += self._bind(p, a, False, scope, inner)
        value: ast.Expr | None = None
        results: tuple[str, ...] = ()
        if outputs > 1:
            called = self.call(node.body, outputs, inner) or self._call_with_outputs(
                node.body, outputs, inner
            )
            body.append(as_statement(called.expression(None)))
            results = called.results
        else:
            given = self.flattener.wholes.container(node.body, inner)
            if given is None:
                value = self.flattener.expr(node.body, inner)
            else:
                body, results = [*body, *given[0]], (given[1],)
        effects = self.flattener.end_effects(kept)
        return Call(span, tuple(body), self._new_locals(before), effects, results, value)

    def _call_with_outputs(self, node: ast.Expr, outputs: int, scope: Scope) -> Call:
        """A call that stays one and has several outputs."""
        if not (isinstance(node, ast.Index) and isinstance(node.base, ast.Name)):
            raise Refused("an anonymous function with several outputs", node.span)
        return self._other_name(node.base.id, node.args, outputs, scope, node.span)

    # --- functions with statements ---

    def inline(self, found: Found, args: Args, outputs: int, scope: Scope, span: Span) -> Call:
        """The function in the place of its call."""
        function, unit = found
        fixed, several = self._parameters(function, outputs)
        if len(args) > len(fixed) and not several:
            raise Refused(f"'{function.name}' is called with too many arguments", span)
        names = names_of_function(function)
        inner = self._scope(unit, function.name, function, scope, names.assigned - {"ans"}, span)
        inner.counts = {"nargin": len(args), "nargout": outputs}
        changed = names_of_script(function.body).assigned
        before, kept = set(self.places.local), self.flattener.begin_effects()
        body: list[ast.Statement] = []
        for p, a in zip(fixed, args, strict=False):
            body += self._bind(p, a, p in changed, scope, inner)
        if several:
            body += self._varargin_statements(args[len(fixed) :], scope, inner)
        body += self.flattener.block(function.body, inner)
        results = tuple(
            self.places.resolve(inner.flat(o)) for o in names.outputs[: max(outputs, 1)]
        )
        effects = self.flattener.end_effects(kept)
        return Call(span, tuple(body), self._new_locals(before), effects, results)

    def _parameters(self, function: ast.FunctionDef, outputs: int) -> tuple[list[str], bool]:
        """The parameters, and whether more arguments may follow."""
        names = names_of_function(function)
        if names.globals or names.persistent or names.dynamic or function.arguments:
            raise Refused(f"'{function.name}' has more than plain inputs and variables")
        defaults = any(p.default is not None for p in function.inputs)
        if function.functions or defaults:
            raise Refused(f"'{function.name}' has nested functions or defaults")
        if "varargout" in names.outputs or outputs > len(names.outputs):
            raise Refused(f"'{function.name}' has other outputs")
        parameters = list(names.parameters)
        several = bool(parameters) and parameters[-1] == "varargin"
        return (parameters[:-1] if several else parameters), several

    def _scope(
        self,
        unit: Unit,
        name: str,
        function: ast.FunctionDef | ast.AnonymousFunction,
        scope: Scope,
        variables: set[str],
        span: Span,
    ) -> Scope:
        if len(scope.calls) >= DEEPEST or id(function) in scope.calls:
            raise Refused("calls inside one another", span)
        self._count += 1
        if self._count > MOST_CALLS:
            raise Refused("too many calls", span)
        self.files.add(unit.source.name)
        prefix = self.flattener.fresh_name(name)
        return Scope(unit, f"{prefix}.", variables, calls=(*scope.calls, id(function)))

    def _new_locals(self, before: set[str]) -> tuple[str, ...]:
        return tuple(n for n in self.places.local if n not in before)

    def _bind(
        self, name: str, arg: ast.Expr, changed: bool, scope: Scope, inner: Scope
    ) -> list[ast.Statement]:
        """Give a parameter its argument: the same variable where nothing can tell them apart."""
        if isinstance(arg, ast.Colon | ast.NameValueArgument):
            raise Refused("an argument of this form", arg.span)
        flat = self.parts.place(arg, scope)
        same = not changed and not self._may_change(flat)
        if flat and (same or self.places.is_constant(flat)):
            if not self.parts.is_container(flat):
                self.parts.leaf(flat, scope, arg.span)
            inner.bound[name] = flat
            return []
        if not changed and isinstance(arg, ast.Number | ast.Char | ast.String):
            inner.literals[name] = arg
        return self.flattener.wholes.bind(inner.flat(name), arg, scope)

    def _may_change(self, flat: str) -> bool:
        """Whether something else than its own assignments may change a variable."""
        _, path = self.places.paths.get(flat, ("", ()))
        return any(kind == "property" for kind, _ in path)

    def _varargin_statements(self, args: Args, scope: Scope, inner: Scope) -> list[ast.Statement]:
        """``varargin``."""
        flat = inner.flat("varargin")
        keys = tuple(range(1, len(args) + 1))
        shape = Members(CELL, 0, (1, len(args)), keys, (None,) * len(args))
        self.places.shapes[flat] = shape
        body: list[ast.Statement] = []
        for k, a in zip(keys, args, strict=True):
            body += self.flattener.wholes.bind(part_name(flat, k), a, scope)
        return body

    # --- calls that stay ---

    def left(self, node: ast.Name | ast.Index, scope: Scope) -> ast.Expr:
        """A call of a builtin, or of a function of the same file."""
        base = node.base if isinstance(node, ast.Index) else node
        if not isinstance(base, ast.Name):
            raise Refused("an index of an expression", node.span)
        self.check_name(base.id, scope, node.span)
        if not isinstance(node, ast.Index):
            return base
        return replace(node, args=tuple(self.flattener.expr(a, scope) for a in node.args))

    def check_name(self, name: str, scope: Scope, span: Span) -> None:
        """A name in an inlined function means the same in the loop's file, among its variables."""
        if not scope.prefix:
            return
        if name in self.flattener.names:
            raise Refused("a function that has the name of a variable", span)
        here, there = self.functions.unit, scope.unit
        if there is not here and (name in here.local or name in there.local):
            raise Refused(f"'{name}' is not compiled", span)
