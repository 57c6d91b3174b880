"""What the editor says about a text that parses: names, arity, reachability."""

from app.engine.analysis.check import check_result, check_text
from app.engine.analysis.known import Arity, Surroundings, builtin_names, look_around
from app.engine.analysis.scopes import Occurrence, Role, Scope, Symbols, resolve

__all__ = [
    "Arity",
    "Occurrence",
    "Role",
    "Scope",
    "Surroundings",
    "Symbols",
    "builtin_names",
    "check_result",
    "check_text",
    "look_around",
    "resolve",
]
