"""Who may touch private and protected members: looks at the code that is running."""

from __future__ import annotations

from app.engine.interpreter.frames import current, unit_of
from app.engine.interpreter.objects.class_model import Access, ClassInfo


def calling_class() -> str:
    """The class whose code is running; empty outside classes."""
    frame = current()
    return "" if frame is None else unit_of(frame).class_name


def may_access(owner: ClassInfo, access: Access) -> bool:
    """May the running code use a member of ``owner`` with this access?"""
    caller = calling_class()
    if access == "public":
        return True
    if access == "immutable":
        return running_accessor(owner.short_name, owner)
    if caller == owner.name or access == "private":
        return caller == owner.name
    frame = current()
    if not caller or frame is None:
        return False
    known = unit_of(frame).interpreter.objects.classes.get(caller)
    if known is None:
        return False
    if isinstance(access, frozenset):
        return any(map(known.is_a, access))
    return known.is_a(owner.name) or owner.is_a(caller)


def running_accessor(name: str, owner: ClassInfo) -> bool:
    """True inside the property access method, or the constructor, ``name`` of that class itself."""
    frame = current()
    if frame is None or frame.f_code.co_name != name:
        return False
    return unit_of(frame).class_name == owner.name
