"""HDF5's own functions for links and for objects of any kind: H5L, H5O."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.files.hdf_identifiers import Identifier
from app.engine.builtins.files.hdf_interfaces import (
    close,
    declare_interface,
    held_by,
    library_function,
    name_of,
    number_of,
    properties_of,
)
from app.engine.values import Cell, Struct, Value, float_of, int_of, numel, text_of

if TYPE_CHECKING:
    from h5py.h5l import LinkProxy
    from h5py.h5o import _OHdr

_DEFAULT = "H5P_DEFAULT"


def _links(place: Value) -> LinkProxy:
    return held_by(place).links


@library_function("H5L.exists")
def _link_exists(place: Value, name: Value, access: Value = "") -> Value:
    return bool(_links(place).exists(name_of(name)))


@library_function("H5L.delete", "H5G.unlink")
def _delete_link(place: Value, name: Value, access: Value = "") -> Value:
    held_by(place).unlink(name_of(name))
    return ()


@library_function("H5L.create_soft")
def _create_soft_link(target: Value, place: Value, name: Value, *lists: Value) -> Value:
    _links(place).create_soft(name_of(name), name_of(target))
    return ()


@library_function("H5L.create_hard")
def _create_hard_link(there: Value, old: Value, place: Value, name: Value, *lists: Value) -> Value:
    _links(place).create_hard(name_of(name), held_by(there), name_of(old))
    return ()


@library_function("H5L.move")
def _move_link(place: Value, old: Value, there: Value, new: Value, *lists: Value) -> Value:
    _links(place).move(name_of(old), held_by(there), name_of(new))
    return ()


@library_function("H5L.create_external")
def _create_external_link(
    file: Value, target: Value, place: Value, name: Value, *lists: Value
) -> Value:
    _links(place).create_external(name_of(name), name_of(file), name_of(target))
    return ()


@library_function("H5L.get_val")
def _link_value(place: Value, name: Value, access: Value = _DEFAULT) -> Value:
    found = _links(place).get_val(name_of(name))
    parts = found if isinstance(found, tuple) else (found,)
    return Cell.of([part.decode() for part in parts], (len(parts), 1))


@library_function("H5L.get_info")
def _link_facts(place: Value, name: Value, access: Value = _DEFAULT) -> Value:
    from h5py import h5l

    found = _links(place).get_info(name_of(name))
    facts: dict[str, Value] = {
        "type": float(found.type),
        "corder_valid": bool(found.corder_valid),
        "corder": float(found.corder),
        "cset": float(found.cset),
    }
    facts["address" if found.type == h5l.TYPE_HARD else "val_size"] = float(found.u)
    return Struct(facts)


@library_function("H5L.get_name_by_idx")
def _link_name_at(
    place: Value, group: Value, index: Value, order: Value, at: Value, access: Value = _DEFAULT
) -> Value:
    names = list[str]()
    _links(place).iterate(
        lambda name: names.append(name.decode()),
        obj_name=name_of(group),
        idx_type=number_of(index),
        order=number_of(order),
        idx=int_of(at),
    )
    return names[0]


@library_function("H5L.iterate", calls=True)
def _iterate_links(
    ctx: CallContext,
    place: Value,
    index: Value,
    order: Value,
    first: Value,
    called: Value,
    data: Value = (),
) -> Value:
    visitor = _Visitor(ctx, place, called, data)
    _, last = _links(place).iterate(
        visitor,
        idx_type=number_of(index),
        order=number_of(order),
        idx=int_of(first) if numel(first) else 0,
    )
    return visitor.status, float(last), visitor.data


@library_function("H5L.visit", calls=True)
def _visit_links(
    ctx: CallContext, place: Value, index: Value, order: Value, called: Value, data: Value = ()
) -> Value:
    visitor = _Visitor(ctx, place, called, data)
    _links(place).visit(visitor, idx_type=number_of(index), order=number_of(order))
    return visitor.status, visitor.data


class _Visitor:
    """Calls a function of MATLAB with each name: ``[status, data] = f(place, name, data)``.

    Attributes:
        status: what the last call said; 0 goes on.
        data: what is handed from call to call.
    """

    def __init__(self, ctx: CallContext, place: Value, called: Value, data: Value) -> None:
        self.ctx = ctx
        self.place = place
        self.called = called
        self.status = 0.0
        self.data = data

    def __call__(self, name: bytes) -> float | None:
        """Whether to go on."""
        given = (self.place, name.decode(), self.data)
        status, self.data = self.ctx.call(self.called, given, 2)
        self.status = float_of(status)
        return self.status or None


# --- objects ------------------------------------------------------------------------------------

library_function("H5O.close")(close)


@library_function("H5O.open")
def _open_object(place: Value, name: Value, access: Value = "") -> Value:
    from h5py import h5o

    return Identifier(h5o.open(held_by(place), name_of(name)))


@library_function("H5O.get_info")
def _object_facts(held: Value) -> Value:
    from h5py import h5o

    found = h5o.get_info(held_by(held))
    names = ("fileno", "addr", "type", "rc", "atime", "mtime", "ctime", "btime", "num_attrs")
    facts: dict[str, Value] = {name: float(getattr(found, name, 0)) for name in names}
    return Struct({**facts, "hdr": _header(found.hdr)})


def _header(found: _OHdr) -> Struct:
    facts: dict[str, Value] = {
        name: float(getattr(found, name)) for name in ("version", "nmesgs", "nchunks")
    }
    space: dict[str, Value] = {
        name: float(getattr(found.space, name)) for name in ("total", "meta", "mesg", "free")
    }
    return Struct({**facts, "space": Struct(space)})


@library_function("H5O.exists_by_name")
def _object_exists(place: Value, name: Value, access: Value = _DEFAULT) -> Value:
    from h5py import h5o

    return bool(h5o.exists_by_name(held_by(place), name_of(name)))


@library_function("H5O.copy")
def _copy_object(
    source: Value, name: Value, target: Value, new: Value, copying: Value = "", links: Value = ""
) -> Value:
    from h5py import h5o

    lists = properties_of(copying), properties_of(links)
    h5o.copy(held_by(source), name_of(name), held_by(target), name_of(new), *lists)
    return ()


@library_function("H5O.link")
def _link_object(held: Value, place: Value, name: Value, *lists: Value) -> Value:
    from h5py import h5o

    h5o.link(held_by(held), held_by(place), name_of(name), *map(properties_of, lists))
    return ()


@library_function("H5O.set_comment")
def _set_comment(held: Value, comment: Value) -> Value:
    from h5py import h5o

    h5o.set_comment(held_by(held), text_of(comment).encode())
    return ()


@library_function("H5O.get_comment")
def _comment(held: Value) -> Value:
    from h5py import h5o

    return (h5o.get_comment(held_by(held)) or b"").decode()


@library_function("H5O.visit", calls=True)
def _visit_objects(
    ctx: CallContext, place: Value, index: Value, order: Value, called: Value, data: Value = ()
) -> Value:
    from h5py import h5o

    visitor = _Visitor(ctx, place, called, data)
    visit: Callable[..., object] = h5o.visit
    if visitor(b".") is None:  # h5py leaves the object itself out
        visit(held_by(place), visitor, idx_type=number_of(index), order=number_of(order))
    return visitor.status, visitor.data


_NEW = "f = H5F.create('n.h5'); g = H5G.create(f, 'g', 0); "
declare_interface(
    "H5L",
    "links",
    _NEW + "H5L.create_soft('/g', f, 's', 0, 0); strcmp(H5L.get_val(f, 's', 0), '/g') && "
    "H5L.exists(f, 'g', 0) && ~H5L.exists(f, 'b', 0)",
)
declare_interface("H5O", "objects", _NEW + "i = H5O.get_info(H5O.open(f, 'g', 0)); i.rc == 1")
