"""Who may touch private and protected members: looks at the code that is running."""

from __future__ import annotations

from app.engine.interpreter.frames import current, unit_of
from app.engine.interpreter.objects.class_model import ClassInfo


def calling_class() -> str:
    """The class whose code is running; empty outside classes."""
    frame = current()
    return "" if frame is None else unit_of(frame).class_name


def may_access(owner: ClassInfo, access: str) -> bool:
    """May the running code use a member of ``owner`` with this access?"""
    caller = calling_class()
    if access in {"private", "immutable"}:
        return caller == owner.name
    if caller == owner.name:
        return True
    frame = current()
    if not caller or frame is None:
        return False
    known = unit_of(frame).interpreter.objects.classes.get(caller)
    return known is not None and (known.is_a(owner.name) or owner.is_a(caller))


def running_accessor(name: str, owner: ClassInfo) -> bool:
    """True inside the property access method ``name`` of that class itself."""
    frame = current()
    if frame is None or frame.f_code.co_name != name:
        return False
    return unit_of(frame).class_name == owner.name
