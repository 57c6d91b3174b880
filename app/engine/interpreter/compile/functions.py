"""Functions, nested functions, anonymous functions and scripts to Python functions.

A MATLAB function becomes ``def name(a=None, b=None, *rest, nargout=1)``: None means not given. It
returns one value (or None) for ``nargout`` up to 1 and a tuple of ``nargout`` values beyond.
"""

from __future__ import annotations

import ast as py
from types import CodeType
from typing import Any

from app.engine.interpreter.clearing import CLEARS
from app.engine.interpreter.compile.analysis import Names, names_of_function, names_of_script
from app.engine.interpreter.compile.anonymous import bound_method, compile_anonymous
from app.engine.interpreter.compile.arguments import (
    ArgumentsCompiler,
    named_parameters,
    repeating_names,
)
from app.engine.interpreter.compile.assignments import Assignments
from app.engine.interpreter.compile.chains import Chains
from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import Emitter, python_name
from app.engine.interpreter.compile.expression_statements import BARRIERS
from app.engine.interpreter.compile.expressions import Expressions
from app.engine.interpreter.compile.kinds import Inference
from app.engine.interpreter.compile.nesting import located
from app.engine.interpreter.compile.scope import Scope
from app.engine.interpreter.compile.script_globals import shared_by_scripts
from app.engine.interpreter.compile.statements import Statements
from app.engine.interpreter.unit import KEPT, Unit
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.source import Span


class FunctionCompiler:
    """Compiles one function (or script) and the functions nested in it.

    Attributes:
        out: makes the Python syntax.
        in_kernel: True for a loop body that is compiled for tracing.
        resumes: True for the rest of a pass whose loops have been met before.
    """

    in_kernel = False
    resumes = False

    def __init__(self, unit: Unit, scope: Scope, node: ast.FunctionDef | None = None) -> None:
        self.out = Emitter(unit.source)
        self.unit = unit
        self.scope = scope
        self.expressions = Expressions(self)
        self.chains = Chains(self)
        self.assignments = Assignments(self)
        self.statements = Statements(self)
        self.node = node
        self.function_name = node.name if node else ""
        scope.counts_arguments = node is not None
        self.factories: list[py.stmt] = []
        self.constructs = ""
        self.counted: list[py.Name] = []

    # --- names ---

    def argument_count(self, name: str) -> py.expr:
        """``nargin``/``nargout`` of this function, computed where it is used."""
        if self.node is None:
            return self.out.call(f"@{name}_of_caller")
        if name == "nargout":
            return self.out.call("@float", self.out.name("nargout"))
        return self.out.name("#nargin")

    # --- the def ---

    def define_function(self, python: str) -> py.FunctionDef:
        """The Python ``def`` of the function."""
        node = self.node
        assert node is not None
        self.out.place(node.name_span if node.name_span.end else node.span)
        defaults = self._defaults(node)
        body = self.arguments_blocks(node.arguments)
        self.out.place(node.span)
        body += self.statements.block(node.body)
        last = max(node.span.start, node.span.end - 1)
        self.out.place(Span(last, last + 1))
        if not (body and isinstance(body[-1], py.Return)):
            body += self.leave()
        self.out.place(node.name_span if node.name_span.end else node.span)
        prologue = self._prologue(node) + defaults + self.factories
        signature = self.out.matlab_signature(self._positional(node))
        return py.FunctionDef(python, signature, prologue + body, [], None, **self.out.where())

    def _positional(self, node: ast.FunctionDef) -> list[str]:
        """Parameters that are filled by position."""
        apart = {*named_parameters(node), *repeating_names(node)}
        names = self.scope.names.parameters
        if names[-1:] == ("varargin",):
            names = names[:-1]
        return [n for n in names if n not in apart]

    def _takes_rest(self, node: ast.FunctionDef) -> bool:
        names = self.scope.names.parameters
        return bool(named_parameters(node) or repeating_names(node)) and names[-1:] != ("varargin",)

    def _prologue(self, node: ast.FunctionDef) -> list[py.stmt]:
        """Arity checks, ``nargin``, ``varargin``, unset variables."""
        parameters = self.scope.names.parameters
        fixed = self._positional(node)
        made: list[py.stmt] = []
        shared = sorted(self.scope.inherited)
        if shared:
            made.append(py.Nonlocal([python_name(n) for n in shared], **self.out.where()))
        if self.scope.dynamic:
            made += self._globals_clause()
        if "varargin" in parameters[-1:]:
            made.append(
                self.out.assign(
                    self.out.target("varargin"), self.out.call("@varargin", self.out.name("#rest"))
                )
            )
        elif not self._takes_rest(node):
            many = self.out.run(
                self.out.call("@too_many_inputs", self.out.const(self.function_name))
            )
            made.append(self.out.when(self.out.name("#rest"), [many], []))
        made += self._output_limit()
        made += ArgumentsCompiler(self).names_apart(fixed)
        made += self._nargin(fixed)
        start = [
            n
            for n in sorted(self.scope.needs_start | self.scope.shared)
            if n not in parameters
            and n not in self.scope.inherited
            and self.scope.is_local(n)
            and n in self.scope.names.assigned
        ]
        if start and not self.scope.dynamic:
            made.append(self.out.assign_all([python_name(n) for n in start], self.out.const(None)))
        if self.constructs and node.outputs:
            fresh = self.out.call("@start_object", self.out.const(self.constructs))
            made.append(self.out.assign(self.assignments.store(node.outputs[0].name), fresh))
        return made

    def _globals_clause(self) -> list[py.stmt]:
        return []

    def _output_limit(self) -> list[py.stmt]:
        outputs = self.scope.names.outputs
        if self.node is not None and self.node.list_output:
            return []
        too_many: py.expr = self.out.name("nargout")
        if outputs:
            too_many = self.out.compare(too_many, py.Gt(), self.out.const(len(outputs)))
        fail = self.out.run(self.out.call("@too_many_outputs", self.out.const(self.function_name)))
        return [self.out.when(too_many, [fail], [])]

    def _nargin(self, fixed: list[str]) -> list[py.stmt]:
        if not self._uses_nargin():
            return []
        given = [
            self.out.name(python_name(n) if n != "~" else f"#ignored{i}")
            for i, n in enumerate(fixed)
        ]
        self.counted = given
        packed = self.out.tuple(list(given))
        count = self.out.call("@count_given", packed, self.out.name("#rest"))
        return [self.out.assign(self.out.target("#nargin"), count)]

    def _uses_nargin(self) -> bool:
        """Whether the function, what it evaluates or what it calls may ask for ``nargin``.

        Who hands the name of a parameter to a function, as in ``SetDefault(2, 'tol', 1e-6)``, may
        call ``evalin('caller', 'nargin')``.
        """
        nodes = walk_body(self.node.body + self.node.arguments) if self.node else ()
        names = {"nargin", "narginchk", "nargchk", "inputname", "eval", "evalin", "evalc"}
        words = {"nargin", *self.scope.names.parameters}
        return any(
            (isinstance(n, ast.Name) and n.id in names)
            or (isinstance(n, ast.Char | ast.String) and n.value in words)
            for n in nodes
        )

    def _defaults(self, node: ast.FunctionDef) -> list[py.stmt]:
        """Values of parameters that were left out: made before the body, where none is certain."""
        certain = frozenset(self.scope.defined)
        made: list[py.stmt] = []
        for parameter in node.inputs:
            if parameter.default is not None and parameter.name != "~":
                name = python_name(parameter.name)
                value = self.out.assign(
                    self.out.target(name), self.expressions.expr(parameter.default)
                )
                missing = self.out.is_none(self.out.name(name))
                asked = self.out.compare(self.out.name(name), py.Is(), self.out.name("@:"))
                made.append(self.out.when(self.out.either(missing, asked), [value], []))
        self.scope.defined.intersection_update(certain)
        return made

    # --- what loops compiled on their own do in their own way ---

    def compile_statement(self, node: ast.Statement) -> list[py.stmt]:
        """The code of a statement, temporaries aside."""
        return self.statements.plain_statement(node)

    def start_of_pass(self) -> list[py.stmt]:
        """What a pass of a loop that is in no other begins with."""
        return []

    def jump(self, node: ast.Break | ast.Continue) -> list[py.stmt]:
        """Leave a loop or a pass; outside of loops an error at run time, so that the rest runs."""
        leaves = isinstance(node, ast.Break)
        if not self.statements.inside:
            word = "break" if leaves else "continue"
            return [self.out.run(self.out.call("@stray_jump", self.out.const(word)))]
        return [py.Break(**self.out.where()) if leaves else py.Continue(**self.out.where())]

    # --- leaving ---

    def leave(self) -> list[py.stmt]:
        """``return``: the outputs, checked where they may be unset."""
        outputs = self.scope.names.outputs
        if self.node is None:
            return [self.out.give(None)]
        if not outputs:
            return [self.out.give(self.out.const(None))]
        checks = ArgumentsCompiler(self).checked_outputs(self.node.arguments)
        return checks + self._give(outputs, self.node.list_output)

    def _give(self, outputs: tuple[str, ...], listed: str) -> list[py.stmt]:
        fixed = outputs[:-1] if listed else outputs
        if listed:
            rest = self.assignments.value_or_none(listed)
            values = self.out.tuple([self.assignments.value_or_none(n) for n in fixed])
            names = self.out.const(outputs)
            return [
                self.out.give(
                    self.out.call(
                        "@outputs_and_rest",
                        self.out.name("nargout"),
                        values,
                        rest,
                        names,
                        self.out.const(self.function_name),
                    )
                )
            ]
        first = self._first_output(fixed[0])
        if len(fixed) == 1:
            return [self.out.give(first)]
        several = self.out.call(
            "@outputs",
            self.out.name("nargout"),
            self.out.tuple([self.assignments.value_or_none(n) for n in fixed]),
            self.out.const(tuple(fixed)),
            self.out.const(self.function_name),
        )
        few = self.out.compare(self.out.name("nargout"), py.LtE(), self.out.const(1))
        return [self.out.when(few, [self.out.give(first)], []), self.out.give(several)]

    def _first_output(self, name: str) -> py.expr:
        value = self.assignments.value_or_none(name)
        if self.scope.certain(name) and self.scope.is_local(name):
            return value
        check = self.out.call(
            "@unassigned",
            self.out.const(name),
            self.out.const(self.function_name),
            self.out.name("nargout"),
        )
        return self.out.choose(self.out.is_set(value), value, check)

    # --- arguments blocks ---

    def arguments_blocks(self, blocks: tuple[ast.ArgumentsBlock, ...]) -> list[py.stmt]:
        """Checks and defaults of ``arguments`` blocks."""
        return ArgumentsCompiler(self).compile(blocks) if blocks else []

    # --- functions inside ---

    def inside(self, scope: Scope) -> FunctionCompiler:
        """A compiler of a function whose text stands inside this one's."""
        return FunctionCompiler(self.unit, scope)

    def anonymous(self, node: ast.AnonymousFunction) -> py.expr:
        """``@(x) body``: a factory in the unit's namespace called with the captured values."""
        return compile_anonymous(self, node)

    def handle(self, node: ast.FunctionHandle) -> py.expr:
        """``@name``; a nested function's handle keeps its variables alive."""
        nested = self.scope.functions.get(node.name)
        if nested is not None:
            return self.out.call("@nested_handle", self.out.const(node.name), self.out.name(nested))
        if self.scope.is_variable(node.name.partition(".")[0]) and "." in node.name:
            return self.anonymous(bound_method(node))
        self.unit.link(node.name)
        return self.out.call("@function_handle", self.out.name(self.unit.reference(node.name)))

    def super_call(
        self, node: ast.SuperCall, args: tuple[ast.Expr, ...], nargout: py.expr | None
    ) -> py.expr:
        """``obj@Super(args)`` in a constructor, ``method@Super(obj, args)`` elsewhere."""
        made = self.chains.arguments(args)
        if node.name in self.scope.names.outputs and self.constructs:
            obj = self.assignments.value_or_none(node.name)
            build = self.out.call("@super_constructor", obj, self.out.const(node.superclass), *made)
            return self.out.walrus(python_name(node.name), build)
        name, owner = self.out.const(node.name), self.out.const(node.superclass)
        return self.out.call("@super_method", name, owner, *made, nargout=nargout)


def scope_of_function(unit: Unit, node: ast.FunctionDef) -> Scope:
    """The scope of a top-level function, its nested functions taken into account."""
    names = names_of_function(node)
    names.dynamic = names.dynamic and not node.functions
    if any(unit.is_script(n) for n in names.statements):
        names.dynamic = True
    names.globals |= shared_by_scripts(unit, names)
    scope = Scope(names)
    unknown = _share_with_nested(scope, node)
    _find_kinds(scope, unknown, node.body)
    scope.reads_ans = "ans" in names.used or names.dynamic
    scope.defined = set(names.persistent)
    if names.parameters[-1:] == ("varargin",):
        scope.define("varargin")
    return scope


def _find_kinds(scope: Scope, unknown: set[str], body: tuple[ast.Statement, ...]) -> None:
    scope.barriers = bool(scope.names.used & BARRIERS)
    scope.creates = scope.dynamic and scope.barriers
    if not scope.barriers:
        scope.kinds = Inference(scope.names, unknown).run(body)


def _share_with_nested(scope: Scope, node: ast.FunctionDef) -> set[str]:
    """Find variables shared with nested functions; they have no known kind."""
    used = scope.names.used | scope.names.assigned
    for nested in node.functions:
        inner = names_below(nested)
        touched = used & inner.assigned
        scope.names.assigned |= touched
        scope.shared |= touched | (scope.names.assigned & inner.used)
        scope.functions[nested.name] = f"{nested.name}()"
    return set(scope.shared)


def names_below(node: ast.FunctionDef) -> Names:
    """Names of ``node`` and all functions nested in it that its parents could share."""
    names = names_of_function(node)
    own = {p.name for p in (*node.inputs, *node.outputs)}
    found = Names(assigned=names.assigned - own, used=names.used - own)
    for nested in node.functions:
        inner = names_below(nested)
        found.assigned |= inner.assigned - own
        found.used |= inner.used - own
    return found


def compile_nested(parent: FunctionCompiler, node: ast.FunctionDef) -> py.stmt:
    """The ``def`` of a function nested in ``parent``."""
    names = names_of_function(node)
    names.dynamic = False
    own = set(names.parameters) | set(names.outputs)
    outside = parent.scope.names
    names.globals |= (outside.globals & (names.used | names.assigned)) - own
    names.persistent |= (outside.persistent & (names.used | names.assigned)) - own
    names.assigned |= names.globals | names.persistent
    visible = outside.assigned | parent.scope.inherited
    visible -= outside.globals | outside.persistent
    scope = Scope(names)
    scope.inherited = (visible & (names.assigned | names_below(node).used | names.used)) - own
    names.assigned -= scope.inherited
    scope.functions = dict(parent.scope.functions)
    _share_with_nested(scope, node)
    scope.kinds = Inference(names, scope.shared | scope.inherited).run(node.body)
    scope.reads_ans = False
    compiler = FunctionCompiler(parent.unit, scope, node)
    compiler.factories = [compile_nested(compiler, n) for n in node.functions]
    made = compiler.define_function(f"{node.name}()")
    parent.scope.needs_start |= scope.inherited & parent.scope.names.assigned
    return made


@located
def compile_function(unit: Unit, node: ast.FunctionDef, constructs: str = "") -> CodeType:
    """The code object of a top-level function, or of the constructor of a class."""
    unit.start_persistent()
    scope = scope_of_function(unit, node)
    compiler = FunctionCompiler(unit, scope, node)
    compiler.constructs = constructs
    if constructs and node.outputs:
        scope.define(node.outputs[0].name)
    compiler.factories = [compile_nested(compiler, n) for n in node.functions]
    made = compiler.define_function(node.name)
    if scope.dynamic:
        _declare_python_globals(compiler, made)
    return code_of(unit, made)


def _declare_python_globals(compiler: FunctionCompiler, made: py.FunctionDef) -> None:
    """Keep the variables of dynamic code in the dictionary it runs in.

    Parameters arrive as Python locals, so the body moves into the same function under other
    parameter names and copies them first.
    """
    scope = compiler.scope
    names = sorted(python_name(n) for n in scope.names.assigned if scope.is_local(n))
    copies: list[py.stmt] = []
    for argument in made.args.args:
        if argument.arg in names:
            plain = argument.arg
            argument.arg = f"#in {plain}"
            copy = compiler.out.assign(compiler.out.target(plain), compiler.out.name(argument.arg))
            given = compiler.out.is_set(compiler.out.name(argument.arg))
            copies.append(compiler.out.when(given, [copy], []))
    arrived = {a.arg for a in made.args.args}
    for item in compiler.counted:
        if f"#in {item.id}" in arrived:
            item.id = f"#in {item.id}"  # nargin counts the parameters as they arrived
    for name in sorted(scope.names.used | scope.names.assigned):
        compiler.unit.namespace.setdefault(python_name(name), None)
    clause: list[py.stmt] = [py.Global(names, **compiler.out.where())] if names else []
    mark: py.stmt = compiler.out.run(compiler.out.const("#dynamic"))
    made.body = [mark, *clause, *copies, *made.body]


def _is_called(unit: Unit, name: str) -> bool:
    """Whether a name calls something where it is no variable; its file is not looked into."""
    interpreter = unit.interpreter
    found = interpreter.path.find(name, unit.folder)
    return found is not None or interpreter.find(unit, name) is not None


@located
def compile_script(
    unit: Unit, body: tuple[ast.Statement, ...], workspace: dict[str, Any], name: str
) -> CodeType:
    """The code object of a script for a workspace: its variables are its Python globals."""
    workspace_globals: set[str] = workspace.setdefault("#globals", set())
    kept: dict[str, Any] = workspace.get(KEPT, {})
    names = names_of_script(body)
    names.persistent |= set(kept)
    names.assigned |= {"ans", *(names.used & set(kept))}
    names.globals |= shared_by_scripts(unit, names)
    names.unlinks |= bool(workspace_globals) and not names.used.isdisjoint(CLEARS)
    scope = Scope(names, workspace_globals=set(workspace_globals), known=frozenset(workspace))
    scripts = any(unit.is_script(n) for n in names.statements)
    scope.barriers = scripts or bool(names.used & BARRIERS)
    scope.creates = scripts or bool(names.used & (BARRIERS - CLEARS))
    if scope.creates:
        scope.known |= {n for n in names.used if not _is_called(unit, n)}
    if not scope.barriers:
        scope.kinds = Inference(names, set()).run(body)
    compiler = FunctionCompiler(unit, scope)
    unit.start_persistent(KEPT if kept else "")
    statements = compiler.statements.block(body)
    compiler.out.place(Span(0, 0))
    # A loop that goes on in machine code sets every variable it has, also those it only reads.
    held = names.assigned | (names.used & set(scope.known))
    variables = sorted(python_name(n) for n in held if scope.is_local(n))
    for used in sorted(names.used | names.assigned):
        unit.namespace.setdefault(python_name(used), None)
    prologue: list[py.stmt] = []
    if variables:
        prologue.append(py.Global(variables, **compiler.out.where()))
    empty = py.arguments([], [], None, [], [], None, [])
    made = py.FunctionDef(
        name, empty, prologue + compiler.factories + statements, [], None, **compiler.out.where()
    )
    return code_of(unit, made)


def compile_value(unit: Unit, expr: ast.Expr) -> CodeType:
    """The code of a function without parameters that returns ``expr``."""
    compiler = FunctionCompiler(unit, Scope(Names()))
    compiler.out.place(expr.span)
    value = compiler.out.give(compiler.expressions.expr(expr))
    empty = py.arguments([], [], None, [], [], None, [])
    made = py.FunctionDef("<default>", empty, [value], [], None, **compiler.out.where())
    return code_of(unit, made)
