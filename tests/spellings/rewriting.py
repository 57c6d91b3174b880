"""Spells a loop in other ways by rewriting its syntax tree; a new spelling is one function.

A spelling gives the text to run after the set-up, and the files that it needs beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from app.engine.language import ast
from app.engine.language.parser import parse
from app.engine.language.printer import print_file
from app.engine.language.printer_expr import print_expr
from app.engine.language.walk import walk
from app.source import SourceText
from tests.spellings.programs import Computation

Rename = Callable[[str], str]


@dataclass(frozen=True)
class Spelled:
    """A program.

    Attributes:
        text: what is run and counted, after the set-up.
        files: the texts of the files that it needs, by name.
        before: what runs in the session before the set-up.
    """

    text: str
    files: dict[str, str] = field(default_factory=dict)
    before: str = ""


@dataclass(frozen=True)
class Loop:
    """What a spelling is made of.

    Attributes:
        computation: the computation.
        body: the statements of a pass.
        inputs: variables of the set-up that passes only read.
        state: variables that passes assign and that the set-up has.
        others: variables that only passes assign.
    """

    computation: Computation
    body: tuple[ast.Statement, ...]
    inputs: tuple[str, ...]
    state: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """What the loop leaves behind."""
        return (*self.state, *self.others)

    @property
    def known(self) -> tuple[str, ...]:
        """The variables that have a value before the loop."""
        return (*self.inputs, *self.state)

    @property
    def passes(self) -> int:
        """How many passes there are."""
        return self.computation.passes

    def text(self, rename: Rename | None = None) -> str:
        """The body as text, its variables replaced by what `rename` gives for them."""
        return _text(self.body if rename is None else self.renamed(rename))

    def renamed(self, rename: Rename) -> tuple[ast.Statement, ...]:
        """The body with other expressions for its variables."""
        names = {*self.known, *self.others}

        def other(node: Any) -> Any:
            if isinstance(node, ast.Name) and node.id in names:
                return _expression(rename(node.id))
            return node

        return tuple(rebuilt(s, other) for s in self.body)


def statements(text: str) -> tuple[ast.Statement, ...]:
    """The statements of a text."""
    result = parse(SourceText("<spelling>", text))
    assert not result.diagnostics, result.diagnostics
    return result.file.body


def _expression(text: str) -> ast.Expr:
    (statement,) = statements(f"{text};")
    assert isinstance(statement, ast.ExpressionStatement)
    return statement.expr


def _text(body: Iterable[ast.Statement]) -> str:
    file = parse(SourceText("<spelling>", "")).file
    return print_file(replace(file, body=tuple(body)))


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with `change` applied to every node, those below first."""
    if isinstance(node, tuple):
        return tuple(rebuilt(item, change) for item in node)
    if not is_dataclass(node) or not isinstance(node, ast.Node):
        return node
    made = {
        f.name: rebuilt(getattr(node, f.name), change)
        for f in fields(node)
        if f.name not in {"span", "name_span"}
    }
    return change(replace(node, **made))


def _root(target: ast.Expr) -> str:
    while isinstance(target, ast.Index):
        target = target.base
    assert isinstance(target, ast.Name)
    return target.id


def _assigned(body: Iterable[ast.Statement]) -> list[str]:
    found: dict[str, None] = {}
    for statement in body:
        for node in walk(statement):
            targets: tuple[ast.Expr, ...] = ()
            if isinstance(node, ast.Assign):
                targets = (node.target,)
            elif isinstance(node, ast.MultiAssign):
                targets = node.targets
            found.update((_root(target), None) for target in targets)
    return list(found)


def loop_of(computation: Computation) -> Loop:
    """The parts of a computation."""
    body = statements(computation.body)
    prepared = _assigned(statements(computation.setup))
    assigned = _assigned(body)
    used = {n.id for s in body for n in walk(s) if isinstance(n, ast.Name)}
    inputs = tuple(n for n in prepared if n in used and n not in assigned)
    state = tuple(n for n in prepared if n in assigned)
    others = tuple(n for n in assigned if n not in prepared)
    return Loop(computation, body, inputs, state, others)


# --- spellings -------------------------------------------------------------------------------


def plain(loop: Loop) -> Spelled:
    """``for k = 1:n`` over plain variables."""
    return Spelled(loop_text(loop, loop.text()))


def loop_text(loop: Loop, body: str, passes: int = 0) -> str:
    """``for k = 1:n`` with a body."""
    return f"for k = 1:{passes or loop.passes}\n{body}end\n"


def moved(
    loop: Loop, place: Rename, unpack: bool = True, start: str = "", body: str = ""
) -> Spelled:
    """Variables in places of a container while the loop runs."""
    pack = "".join(f"{place(n)} = {n};\n" for n in loop.known)
    back = "".join(f"{n} = {place(n)};\n" for n in loop.results) if unpack else ""
    return Spelled(start + pack + loop_text(loop, body or loop.text(place)) + back)


def in_struct(loop: Loop) -> Spelled:
    """``S.x``."""
    return moved(loop, lambda n: f"S.{n}")


def in_nested_struct(loop: Loop) -> Spelled:
    """``S.inner.x``."""
    return moved(loop, lambda n: f"S.inner.{n}")


def in_dynamic_field(loop: Loop) -> Spelled:
    """``S.(name)``."""
    return moved(loop, lambda n: f"S.(['f_' '{n}'])")


def in_struct_array(loop: Loop) -> Spelled:
    """``S(2).x``."""
    return moved(loop, lambda n: f"S(2).{n}")


def in_cell(loop: Loop) -> Spelled:
    """``c{3}``."""
    places = {n: f"q_{{{k}}}" for k, n in enumerate((*loop.known, *loop.others), 1)}
    return moved(loop, places.__getitem__)


def parameters_in_struct(loop: Loop) -> Spelled:
    """Only what passes read is in a struct, the state is plain."""
    pack = "".join(f"P.{n} = {n};\n" for n in loop.inputs)
    body = loop.text(lambda n: f"P.{n}" if n in loop.inputs else n)
    return Spelled(pack + loop_text(loop, body))


def class_text(name: str, loop: Loop, methods: str, base: str = "") -> str:
    """A class whose properties are the variables."""
    properties = " ".join(f"{n};" for n in (*loop.known, *loop.others))
    head = f"classdef {name}{base}\n  properties\n    {properties}\n  end\n"
    return f"{head}  methods\n{methods}  end\nend\n"


def in_object(loop: Loop) -> Spelled:
    """``o.x`` of an object of a value class."""
    files = {"Holder.m": class_text("Holder", loop, "")}
    made = moved(loop, lambda n: f"o.{n}", start="o = Holder;\n")
    return replace(made, files=files)


def in_handle_object(loop: Loop) -> Spelled:
    """``o.x`` of an object of a handle class."""
    files = {"Shared.m": class_text("Shared", loop, "", " < handle")}
    made = moved(loop, lambda n: f"o.{n}", start="o = Shared;\n")
    return replace(made, files=files)


def in_method(loop: Loop) -> Spelled:
    """``o = o.advance(k)``."""
    body = loop.text(lambda n: f"o.{n}")
    files = {"Stepper.m": class_text("Stepper", loop, f"function o = advance(o, k)\n{body}end\n")}
    made = moved(loop, lambda n: f"o.{n}", start="o = Stepper;\n", body="o = o.advance(k);\n")
    return replace(made, files=files)


def in_handle_method(loop: Loop) -> Spelled:
    """``o.advance(k)`` changes the object."""
    body = loop.text(lambda n: f"o.{n}")
    method = f"function advance(o, k)\n{body}end\n"
    files = {"Actor.m": class_text("Actor", loop, method, " < handle")}
    made = moved(loop, lambda n: f"o.{n}", start="o = Actor;\n", body="o.advance(k);\n")
    return replace(made, files=files)


def _step(loop: Loop) -> str:
    """A function that does one pass."""
    outputs, inputs = ", ".join(loop.results), ", ".join(("k", *loop.known))
    return f"function [{outputs}] = advance_({inputs})\n{loop.text()}end\n"


def in_local_function(loop: Loop) -> Spelled:
    """``[a, b] = step(k, a, b)``."""
    call = f"[{', '.join(loop.results)}] = advance_(k, {', '.join(loop.known)});\n"
    return Spelled(loop_text(loop, call) + _step(loop))


def in_handle_of_several(loop: Loop) -> Spelled:
    """The same through a handle."""
    call = f"[{', '.join(loop.results)}] = step_(k, {', '.join(loop.known)});\n"
    return Spelled("step_ = @advance_;\n" + loop_text(loop, call) + _step(loop))


def in_nested_function(loop: Loop) -> Spelled:
    """A nested function that shares the variables of the function around it."""
    outputs, inputs = ", ".join(loop.results), ", ".join(loop.known)
    first = "".join(f"{n} = 0;\n" for n in loop.others)
    text = (
        f"function [{outputs}] = outer_({inputs})\n{first}{loop_text(loop, 'pass_(k);')}"
        f"function pass_(k)\n{loop.text()}end\nend\n"
    )
    return Spelled(f"[{outputs}] = outer_({inputs});\n", {"outer_.m": text})


def in_anonymous(loop: Loop) -> Spelled:
    """Right sides as anonymous functions that capture what passes only read."""
    held: list[str] = []
    own = (*loop.state, *loop.others)

    def other(node: Any) -> Any:
        if not isinstance(node, ast.Assign) or any(isinstance(n, ast.End) for n in walk(node)):
            return node
        name = f"f{len(held)}_"
        used = {n.id for n in walk(node.value) if isinstance(n, ast.Name)}
        arguments = ", ".join(n for n in ("k", *own) if n in used)
        held.append(f"{name} = @({arguments}) {print_expr(node.value)};\n")
        return replace(node, value=_expression(f"{name}({arguments})"))

    body = _text(rebuilt(loop.body, other))
    return Spelled("".join(held) + loop_text(loop, body))


def in_arrayfun(loop: Loop) -> Spelled:
    """Right sides computed by ``arrayfun`` of one element."""

    def other(node: Any) -> Any:
        if not isinstance(node, ast.Assign) or any(isinstance(n, ast.End) for n in walk(node)):
            return node
        call = f"arrayfun(@(e_) {print_expr(node.value)}, 1, 'UniformOutput', false)"
        return replace(node, value=_expression(f"open_({call})"))

    body = _text(rebuilt(loop.body, other))
    return Spelled(loop_text(loop, body) + "function v = open_(c)\nv = c{1};\nend\n")


def by_deal(loop: Loop) -> Spelled:
    """``[v, ~] = deal(value, 0)``."""

    def other(node: Any) -> Any:
        if not isinstance(node, ast.Assign):
            return node
        value = _expression(f"deal({print_expr(node.value)}, 0)")
        return ast.MultiAssign(node.span, (node.target, ast.Ignored(node.span)), value)

    return Spelled(loop_text(loop, _text(rebuilt(loop.body, other))))


def end_relative(loop: Loop) -> Spelled:
    """``x(:, end - (12 - k))``."""

    def other(node: Any) -> Any:
        if not isinstance(node, ast.Index) or not isinstance(node.base, ast.Name):
            return node
        if node.base.id not in loop.known or node.args[-1] != ast.Name(node.span, "k"):
            return node
        last = _expression(f"q_(end - ({loop.passes} - k))")
        assert isinstance(last, ast.Index)
        return replace(node, args=(*node.args[:-1], *last.args))

    return Spelled(loop_text(loop, _text(rebuilt(loop.body, other))))


def as_while(loop: Loop) -> Spelled:
    """``while k <= n``."""
    return Spelled(f"k = 1;\nwhile k <= {loop.passes}\n{loop.text()}k = k + 1;\nend\n")


def with_break(loop: Loop) -> Spelled:
    """A longer loop that is left at the end of a pass."""
    leave = f"if k == {loop.passes}, break, end\n"
    return Spelled(loop_text(loop, loop.text() + leave, loop.passes + 9))


def with_return(loop: Loop) -> Spelled:
    """A function that returns from the loop."""
    outputs, inputs = ", ".join(loop.results), ", ".join(loop.known)
    body = f"if k > {loop.passes}, return, end\n{loop.text()}"
    text = f"function [{outputs}] = work_({inputs})\n{loop_text(loop, body, loop.passes + 9)}end\n"
    return Spelled(f"[{outputs}] = work_({inputs});\n{text}")


def with_continue(loop: Loop) -> Spelled:
    """Passes that do nothing come last."""
    skip = f"if k > {loop.passes}, continue, end\n"
    return Spelled(loop_text(loop, skip + loop.text(), loop.passes))


def inside_loop(loop: Loop) -> Spelled:
    """Inside another loop."""
    return Spelled(f"for turn_ = 1:1\n{loop_text(loop, loop.text())}end\n")


def inside_try(loop: Loop) -> Spelled:
    """Inside ``try``."""
    return Spelled(f"try\n{loop_text(loop, loop.text())}catch e_\nrethrow(e_)\nend\n")


def try_inside(loop: Loop) -> Spelled:
    """With a ``try`` in every pass."""
    return Spelled(loop_text(loop, f"try\n{loop.text()}catch e_\nrethrow(e_)\nend\n"))


def in_switch(loop: Loop) -> Spelled:
    """In a ``case`` of text."""
    body = f"switch way_\ncase {{'stop', 'no'}}\nerror('no')\ncase 'go'\n{loop.text()}end\n"
    return Spelled(f"way_ = 'go';\n{loop_text(loop, body)}")


def when_verbose(loop: Loop) -> Spelled:
    """With printing that is switched off."""
    say = "if opt_.verbose, fprintf('%d\\n', k); end\n"
    return Spelled("opt_.verbose = false;\n" + loop_text(loop, loop.text() + say))


def in_constructor(loop: Loop) -> Spelled:
    """Inside the constructor of a class."""
    inputs = ", ".join(loop.known)
    back = "".join(f"o.{n} = {n};\n" for n in loop.results)
    method = f"function o = Runner({inputs})\n{loop_text(loop, loop.text())}{back}end\n"
    unpack = "".join(f"{n} = o.{n};\n" for n in loop.results)
    return Spelled(
        f"o = Runner({inputs});\n{unpack}", {"Runner.m": class_text("Runner", loop, method)}
    )


def after_another(loop: Loop) -> Spelled:
    """After another program in the same session: small arrays whose values are needed often."""
    before = "g_ = rand(200, 3); for j_ = 1:60, h_ = sum(g_ + j_); if h_(1) < 0, break, end, end\n"
    return replace(plain(loop), before=before)


def after_clear(loop: Loop) -> Spelled:
    """A script that clears something, as most scripts do in their first line."""
    return Spelled("clear nothing_\n" + plain(loop).text)


def beside_load(loop: Loop) -> Spelled:
    """A script that may get variables from a file."""
    return Spelled("if numel('ab') == 3, load nothing_.mat, end\n" + plain(loop).text)


def after_script(loop: Loop) -> Spelled:
    """A script that calls another one."""
    return Spelled("prelude_\n" + plain(loop).text, {"prelude_.m": "u_ = 1;\n"})


def in_globals(loop: Loop) -> Spelled:
    """Global variables."""
    return moved(loop, lambda n: f"g_{n}", start=f"global {_listed_globals(loop)}\n")


def in_globals_of_functions(loop: Loop) -> Spelled:
    """What passes change is in global variables that only a function names."""
    line = f"global {' '.join(f'g_{n}' for n in loop.results)}\n"
    pack = "".join(f"g_{n} = {n};\n" for n in loop.state)
    back = "".join(f"{n} = g_{n};\n" for n in loop.results)
    inputs = ", ".join(("k", *loop.inputs))
    body = loop.text(lambda n: f"g_{n}" if n in loop.results else n)
    around = (
        f"function around_({', '.join(loop.inputs)})\n{loop_text(loop, f'pass_({inputs});')}end\n"
    )
    step = f"function pass_({inputs})\n{line}{body}end\n"
    return Spelled(f"{line}{pack}around_({', '.join(loop.inputs)});\n{back}{around}{step}")


def _listed_globals(loop: Loop) -> str:
    return " ".join(f"g_{n}" for n in (*loop.known, *loop.others))


def _counted(loop: Loop, counter: str) -> str:
    """The body with another expression for the counter."""

    def other(node: Any) -> Any:
        return _expression(counter) if node == ast.Name(node.span, "k") else node

    return _text(rebuilt(loop.body, other))


def over_list(loop: Loop) -> Spelled:
    """``for k = list``."""
    return Spelled(f"list_ = 1:{loop.passes};\nfor k = list_\n{loop.text()}end\n")


def through_list(loop: Loop) -> Spelled:
    """``list(i)`` in place of the counter."""
    body = _counted(loop, "list_(i_)")
    return Spelled(f"list_ = 1:{loop.passes};\nfor i_ = 1:numel(list_)\n{body}end\n")


def by_feval(loop: Loop) -> Spelled:
    """``feval('step', …)``."""
    call = f"[{', '.join(loop.results)}] = feval('advance_', k, {', '.join(loop.known)});\n"
    return Spelled(loop_text(loop, call) + _step(loop))


def into_all(loop: Loop) -> Spelled:
    """``y(:) = value`` and ``y(1:end, 1:end) = value`` in turns."""
    count = 0

    def other(node: Any) -> Any:
        nonlocal count
        plain = isinstance(node, ast.Assign) and isinstance(node.target, ast.Name)
        if not plain or node.target.id not in loop.state:
            return node
        count += 1
        places = ("(:)", "(1:end, 1:end)", "(:, :)")[count % 3]
        return replace(node, target=_expression(f"{node.target.id}{places}"))

    return Spelled(loop_text(loop, _text(rebuilt(loop.body, other))))


def checked(loop: Loop) -> Spelled:
    """A function that looks at the class and the size of what it is given."""
    outputs, inputs = ", ".join(loop.results), ", ".join(("k", *loop.known))
    checks = "".join(
        f"validateattributes({n}, {{'numeric', 'logical'}}, {{'nonempty', '2d'}});\n"
        f"mustBeNonempty({n}); mustBeNumericOrLogical({n});\n"
        for n in loop.known
    )
    call = f"[{outputs}] = safe_({inputs});\n"
    return Spelled(
        loop_text(loop, call)
        + f"function [{outputs}] = safe_({inputs})\n{checks}{loop.text()}end\n"
    )


def by_getfield(loop: Loop) -> Spelled:
    """What passes read is taken from a struct in every pass: ``x = getfield(S, 'x')``."""
    pack = "".join(f"S.{n} = {n};\n" for n in loop.inputs)
    get = "".join(f"{n} = getfield(S, '{n}');\n" for n in loop.inputs)
    return Spelled(pack + loop_text(loop, get + loop.text()))


def with_rare_text(loop: Loop) -> Spelled:
    """With a message every thousand passes."""
    say = "if ~mod(k, 1000), disp(['pass ' num2str(k)]), end\n"
    return Spelled(loop_text(loop, loop.text() + say))


def with_clear(loop: Loop) -> Spelled:
    """With variables that every pass clears."""
    body = f"t_ = 2 * k; w_ = t_;\n{loop.text()}clear t_\nclear('w_');\n"
    return Spelled(loop_text(loop, body))


def with_exist(loop: Loop) -> Spelled:
    """With questions whether variables exist."""
    first = f"if ~exist('{loop.state[0]}', 'var'), error('gone'); end\n"
    last = "if exist('t_', 'var') == 1, error('t_'), elseif false, t_ = 1; end\n"
    return Spelled(loop_text(loop, first + loop.text() + last))


def made_by_eval(loop: Loop) -> Spelled:
    """What passes read was made by ``eval``: no text says that it is a variable."""
    names = {n: f"made_{n}" for n in loop.inputs}
    made = "".join(f"eval('{new} = {n};');\n" for n, new in names.items())
    return Spelled(made + loop_text(loop, loop.text(lambda n: names.get(n, n))))


def in_function_that_evaluates(loop: Loop) -> Spelled:
    """A function whose variables live in a dictionary."""
    results, known = ", ".join(loop.results), ", ".join(loop.known)
    text = f"function [{results}] = run_({known})\neval('u_ = 1;');\n{plain(loop).text}end\n"
    return Spelled(f"[{results}] = run_({known});\n", {"run_.m": text})


SPELLINGS: dict[str, Callable[[Loop], Spelled]] = {
    made.__name__: made
    for made in (
        in_struct,
        in_nested_struct,
        in_dynamic_field,
        in_struct_array,
        in_cell,
        parameters_in_struct,
        in_object,
        in_handle_object,
        in_method,
        in_handle_method,
        in_local_function,
        in_handle_of_several,
        in_nested_function,
        in_anonymous,
        in_arrayfun,
        by_deal,
        end_relative,
        as_while,
        with_break,
        with_return,
        with_continue,
        inside_loop,
        inside_try,
        try_inside,
        in_switch,
        when_verbose,
        in_constructor,
        after_another,
        after_clear,
        beside_load,
        after_script,
        in_globals,
        in_globals_of_functions,
        over_list,
        through_list,
        by_feval,
        into_all,
        checked,
        by_getfield,
        with_rare_text,
        with_clear,
        with_exist,
        made_by_eval,
        in_function_that_evaluates,
    )
}
