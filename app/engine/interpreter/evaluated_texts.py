"""Texts that programs evaluate: the same text is parsed and compiled once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.interpreter import loader
from app.engine.interpreter.unit import Unit
from app.engine.language import ast
from app.errors import MatlabError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

KEPT_TEXTS = 64


class EvaluatedTexts:
    """The texts that were evaluated last, ready to run again."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self._kept: dict[Hashable, loader.LoadedFile] = {}

    def prepared(self, text: str, names: tuple[str, ...], home: Unit | None) -> loader.LoadedFile:
        """The text as a script that puts its values into ``names``.

        It sees the local functions of ``home``, the code that evaluates it. A text with functions
        is prepared anew each time, for it defines them.
        """
        key = text, names, home, self.interpreter.octave
        found = self._kept.pop(key, None)
        if found is None:
            found = self._prepare(text, names, home)
            while len(self._kept) >= KEPT_TEXTS:
                del self._kept[next(iter(self._kept))]
        if not found.tree.functions:
            self._kept[key] = found
        return found

    def _prepare(self, text: str, names: tuple[str, ...], home: Unit | None) -> loader.LoadedFile:
        source = SourceText("<eval>", text)
        octave = self.interpreter.octave
        tree = loader.parse_checked(source, octave)
        unit = Unit(self.interpreter, source, home.folder if home else "")
        unit.imports = home.imports if home else self.interpreter.path.imports
        if home is not None:
            unit.local = home.local
            unit.class_name = home.class_name
            for name, function in home.local.items():
                unit.namespace[f"{name}()"] = function
        for function_node in tree.functions:
            made = loader.LazyFunction(unit, function_node)
            unit.namespace[f"{function_node.name}()"] = made
            self.interpreter.define_functions({function_node.name: made})
        if names:
            tree = replace(tree, body=(_as_assignment(tree.body, names),))
        return loader.LoadedFile(source.name, (0.0, 0), tree, unit, octave=octave)


def _as_assignment(body: tuple[ast.Statement, ...], names: tuple[str, ...]) -> ast.Statement:
    """``[out0, out1] = <the expression of the text>``."""
    if len(body) != 1 or not isinstance(body[0], ast.ExpressionStatement):
        text = "The text given to eval must be one expression when outputs are asked for."
        raise MatlabError("MATLAB:maxlhs", text)
    statement = body[0]
    targets = tuple(ast.Name(statement.span, n) for n in names)
    if len(targets) == 1:
        return ast.Assign(statement.span, targets[0], statement.expr)
    return ast.MultiAssign(statement.span, targets, statement.expr)
