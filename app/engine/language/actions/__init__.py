"""The grammar's actions: what the productions of ``matlab.lark`` make.

Symbols arrive as they were shifted: a token is its index, anything else what its action returned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from app.engine.language import ast
from app.engine.language.actions import lists
from app.engine.language.actions.definitions import DefinitionActions
from app.engine.language.actions.expression_actions import ExpressionActions
from app.engine.language.actions.statement_actions import Block, BlockActions, SimpleActions
from app.engine.language.actions.tokens_text import TokenText
from app.engine.language.tokens import Dialect, TokenStream

Action: TypeAlias = Callable[..., Any]
_PARTS = (ExpressionActions, SimpleActions, BlockActions, DefinitionActions, lists)


@cache
def _part_with(name: str) -> int:
    """Which part has the action of that name; exactly one has."""
    [found] = (index for index, part in enumerate(_PARTS) if hasattr(part, name))
    return found


class Actions:
    """The actions of one parse, by the names that the grammar gives them."""

    def __init__(self, text: str, stream: TokenStream, dialect: Dialect) -> None:
        tokens = TokenText(text, stream, dialect)
        expressions = ExpressionActions(tokens)
        self._definitions = DefinitionActions(tokens, expressions)
        self._parts = (
            expressions,
            SimpleActions(tokens, expressions),
            BlockActions(tokens, expressions),
            self._definitions,
            lists,
        )

    def named(self, name: str) -> Action:
        """What makes the node of a production."""
        action: Action = getattr(self._parts[_part_with(name)], name)
        return action

    def file(self, block: Block) -> ast.File:
        """The tree of the whole text; ``block`` holds its statements."""
        return self._definitions.file(block)
