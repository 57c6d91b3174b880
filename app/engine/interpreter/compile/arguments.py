"""``arguments`` blocks: defaults, sizes, classes, validators, name-value pairs, repetition."""

from __future__ import annotations

import ast as py
from itertools import chain
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.emit import python_name
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler


def block_kind(block: ast.ArgumentsBlock) -> str:
    """``Input``, ``Output``, ``Repeating`` (input) or ``OutputRepeating``."""
    names = {a.name for a in block.attributes}
    if "Output" in names:
        return "OutputRepeating" if "Repeating" in names else "Output"
    return "Repeating" if "Repeating" in names else "Input"


def named_parameters(function: ast.FunctionDef) -> dict[str, tuple[str, ...]]:
    """Structs of name-value arguments (``options.Name``) and their names."""
    found: dict[str, list[str]] = {}
    for block in function.arguments:
        if block_kind(block) == "Input":
            for d in block.declarations:
                if d.member:
                    found.setdefault(d.name, []).append(d.member)
    return {n: tuple(m) for n, m in found.items()}


def repeating_names(function: ast.FunctionDef) -> tuple[str, ...]:
    """Names of repeating arguments."""
    return tuple(
        d.name
        for block in function.arguments
        if block_kind(block) == "Repeating"
        for d in block.declarations
    )


def _optional(function: ast.FunctionDef, positional: list[str]) -> tuple[str, ...]:
    """The last positional arguments, which have defaults and may be left out before names."""
    inputs = (b for b in function.arguments if block_kind(b) == "Input")
    defaults = {
        d.name for b in inputs for d in b.declarations if d.default is not None and not d.member
    }
    kept = len(positional)
    while kept and positional[kept - 1] in defaults:
        kept -= 1
    return tuple(positional[kept:])


class ArgumentsCompiler:
    """Compiles the blocks of one function."""

    def __init__(self, function: FunctionCompiler) -> None:
        self.function = function
        self.out = function.out
        self.position = 0

    def compile(self, blocks: tuple[ast.ArgumentsBlock, ...]) -> list[py.stmt]:
        """The statements at the start of the function."""
        node = self.function.node
        assert node is not None
        made: list[py.stmt] = []
        named = named_parameters(node)
        members = tuple(chain(*named.values()))
        for name in named:
            made += self._parse_names(name, members)
        for block in blocks:
            if block_kind(block) == "Repeating":
                made += self._repeating(block)
            elif block_kind(block) == "Input":
                for declaration in block.declarations:
                    made += self._declaration(declaration)
        return made

    def checked_outputs(self, blocks: tuple[ast.ArgumentsBlock, ...]) -> list[py.stmt]:
        """The statements at the end of the function: what is asked for is as it was declared."""
        made: list[py.stmt] = []
        known = self.function.scope.names.outputs
        for block in (b for b in blocks if block_kind(b) == "OutputRepeating"):
            for d in (d for d in block.declarations if d.name in known):
                value = self.function.assignments.value_or_none(d.name)
                checks = self._each_checked(d, f"Invalid value for '{d.name}' output argument. ")
                made += [self.out.when(self.out.is_set(value), checks, [])] if checks else []
        output = (d for b in blocks if block_kind(b) == "Output" for d in b.declarations)
        for d in (d for d in output if d.name in known):
            with self.out.at(d.span):
                label = f"Invalid value for '{d.name}' output argument. "
                checks = self._validators(d, label)
                value = self.function.assignments.value_or_none(d.name)
                if self._is_checked(d):
                    checked = self._checked_argument(d, value, label)
                    checks.insert(0, self.out.assign(self.out.target(python_name(d.name)), checked))
                made += self._if_wanted(d.name, checks) if checks else []
        return made

    def _if_wanted(self, name: str, checks: list[py.stmt]) -> list[py.stmt]:
        """``checks`` where an output is set and asked for; the first one always is."""
        out, position = self.out, self.function.scope.names.outputs.index(name)
        value = self.function.assignments.value_or_none(name)
        made = [out.when(out.is_set(value), checks, [])]
        if not position:
            return made
        wanted = out.compare(out.name("nargout"), py.Gt(), out.const(position))
        return [out.when(wanted, made, [])]

    def names_apart(self, positional: list[str]) -> list[py.stmt]:
        """Names and values as ``#pairs``, apart from what is given by position before them."""
        node, out = self.function.node, self.out
        assert node is not None
        members = tuple(chain(*named_parameters(node).values()))
        if not members:
            return []
        repeating = repeating_names(node)
        omitted = () if repeating else _optional(node, positional)
        names = ["#rest", "#pairs", *map(python_name, omitted)]
        targets = out.tuple([out.target(name) for name in names])
        targets.ctx = py.Store()
        rest, known = out.name("#rest"), out.const(members)
        if repeating:
            parts = out.call("@split_named", rest, known, out.const(len(repeating)))
        else:
            given = out.tuple([out.name(python_name(name)) for name in omitted])
            parts = out.call("@names_after_omitted", rest, known, given)
        return [out.assign(targets, parts)]

    def _parse_names(self, name: str, members: tuple[str, ...]) -> list[py.stmt]:
        out = self.out
        pairs = out.call("@name_values", out.name("#pairs"), out.const(members))
        made = [out.assign(out.target(f"#named {name}"), pairs)]
        made.append(out.assign(out.target(python_name(name)), out.call("@new_struct")))
        self.function.scope.define(name)
        return made

    def _declaration(self, d: ast.Declaration) -> list[py.stmt]:
        out = self.out
        with out.at(d.span):
            if d.member:
                return self._member(d)
            self.position += 1
            if d.name == "~":  # an input that is ignored
                return []
            name = python_name(d.name)
            made: list[py.stmt] = []
            absent = self._default(d, out.call("@missing_input", out.const(d.name)))
            fill = [out.assign(out.target(name), absent)]
            made.append(out.when(out.is_none(out.name(name)), fill, []))
            self.function.scope.define(d.name)
            label = f"Invalid argument at position {self.position}. "
            if self._is_checked(d):
                made.append(
                    out.assign(out.target(name), self._checked_argument(d, out.name(name), label))
                )
            return made + self._validators(d, label)

    def _is_checked(self, d: ast.Declaration) -> bool:
        return d.size is not None or bool(d.class_name)

    def _default(self, d: ast.Declaration, missing: py.expr) -> py.expr:
        return missing if d.default is None else self.function.expressions.expr(d.default)

    def _checked_argument(self, d: ast.Declaration, value: py.expr, label: str) -> py.expr:
        out = self.out
        size: tuple[int, ...] | None = None
        if d.size is not None:
            size = tuple(int(n.value) if isinstance(n, ast.Number) else -1 for n in d.size)
        converter = (
            self.function.expressions.link(d.class_name) if d.class_name else out.const(None)
        )
        return out.call(
            "@check_argument",
            value,
            out.const(size),
            out.const(d.class_name),
            converter,
            out.const(label),
        )

    def _validators(self, d: ast.Declaration, label: str) -> list[py.stmt]:
        out = self.out
        made: list[py.stmt] = []
        for validator in d.validators:
            if isinstance(validator, ast.Name):
                called: py.expr = out.call(
                    self.function.expressions.link(validator.id),
                    self._value_of(d),
                    nargout=out.const(0),
                )
            else:
                given = isinstance(validator, ast.Index)  # {pack.mustBeGood} is given the value
                call = validator if given else ast.Index(validator.span, validator, (_variable(d),))
                called = self.function.chains.chain_with(call, out.const(0))
            made.append(out.run(out.call("@validate", out.const(label), out.lambda_(called))))
        return made

    def _value_of(self, d: ast.Declaration) -> py.expr:
        base: py.expr = self.out.name(python_name(d.name))
        return self.out.call("@field", base, self.out.const(d.member)) if d.member else base

    def _member(self, d: ast.Declaration) -> list[py.stmt]:
        """``options.Name``: from the names given, or its default."""
        out = self.out
        if d.member.startswith("?"):
            return []
        name = python_name(d.name)
        held = out.temporary()
        given = out.call("@take_named", out.name(f"#named {d.name}"), out.const(d.member))
        made: list[py.stmt] = [out.assign(out.target(held), given)]
        if d.default is not None:
            fill = [out.assign(out.target(held), self.function.expressions.expr(d.default))]
            made.append(out.when(out.is_none(out.name(held)), fill, []))
        label = f"Invalid value for '{d.member}' argument. "
        value: py.expr = out.name(held)
        if self._is_checked(d):
            value = self._checked_argument(d, value, label)
        store = out.assign(
            out.target(name), out.call("@set_field", out.name(name), out.const(d.member), value)
        )
        then = [store, *self._validators(d, label)]
        made.append(out.when(out.is_set(out.name(held)), then, []))
        return made

    def _repeating(self, block: ast.ArgumentsBlock) -> list[py.stmt]:
        """Surplus arguments dealt to the names in turn; each name becomes a cell."""
        node, out = self.function.node, self.out
        assert node is not None
        names = [d.name for d in block.declarations]
        made = list[py.stmt]()
        if names != ["varargin"] or named_parameters(node):
            targets = out.tuple([out.target(python_name(n)) for n in names])
            targets.ctx = py.Store()
            for n in names:
                self.function.scope.define(n)
            dealt = out.call("@deal_repeating", out.name("#rest"), out.const(len(names)))
            made.append(out.assign(targets, dealt))
        for place, d in enumerate(block.declarations, self.position + 1):
            made += self._each_checked(d, "Invalid argument at position {}. ", place, len(names))
        return made

    def _each_checked(
        self, d: ast.Declaration, label: str, first: int = 0, step: int = 0
    ) -> list[py.stmt]:
        """Every value of a cell checked as declared; ``label`` has its position, if need be."""
        out, name = self.out, python_name(d.name)
        with out.at(d.span):
            value = out.name(name)
            checked = self._checked_argument(d, value, "") if self._is_checked(d) else value
            validated = [s.value for s in self._validators(d, "") if isinstance(s, py.Expr)]
            if not self._is_checked(d) and not validated:
                return []
            made = out.call(
                "@each_argument",
                out.name(name),
                out.lambda_(checked, name),
                out.lambda_(out.tuple(validated), name),
                out.const(label),
                out.const((first, step)),
            )
            return [out.assign(out.target(name), made)]


def _variable(d: ast.Declaration) -> ast.Expr:
    """What a declaration declares, as an expression."""
    name = ast.Name(d.span, d.name)
    return ast.Field(d.span, name, d.member) if d.member else name
