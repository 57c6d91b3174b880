"""Errors in a class that show only when it is loaded: attributes that there are none of."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.language import Diagnostic, Severity, ast
from app.engine.language.class_attributes import unknown_attributes


def check(file: ast.File) -> Iterator[Diagnostic]:
    """All remarks of this module."""
    if file.classdef is not None:
        for attribute, why in unknown_attributes(file.classdef):
            yield Diagnostic(attribute.span, Severity.ERROR, "unknown-attribute", why)
