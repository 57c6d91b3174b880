"""``VideoReader``: AVI files with JPEG or plain pictures, and animated GIF files."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, real_number, receiver
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.images.image_opening import opened_image
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    NativeObject,
    Struct,
    StructArray,
    Value,
    as_array,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "images"
_ENDLESS = 1 << 31
"""A size that is no size: of a film that was written without an end, or in several parts."""


def chunks(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The chunks of a RIFF file, those inside lists too: name, first byte, size."""
    at = start
    while at + 8 <= end:
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name in (b"LIST", b"RIFF"):
            yield from chunks(data, at + 12, min(at + 8 + size, end))
        else:
            yield name, at + 8, size
        at += 8 + size + size % 2


class AviPictures:
    """The pictures of an AVI file.

    Attributes:
        rate: pictures per second.
        places: first byte and size of each picture.
    """

    def __init__(self, path: Path) -> None:
        self._data = paths.content(path)
        self.rate, self.places, self._plain = 25.0, [], False
        self._size, self._depth = (0, 0), 24
        said = struct.unpack_from("<I", self._data, 4)[0] + 8 if len(self._data) > 8 else 0
        if len(self._data) + 1 < said < _ENDLESS:
            raise unreadable(path, f"Of its {said} bytes {said - len(self._data)} are missing.")
        for name, at, size in chunks(self._data, 0, len(self._data)):
            if name == b"strh" and self._data[at : at + 4] == b"vids":
                scale, rate = struct.unpack_from("<II", self._data, at + 20)
                if not (scale and rate):
                    raise unreadable(path, "Its pictures are shown for no time or for ever.")
                self.rate = rate / scale
            elif name == b"strf" and size >= 40 and not self._size[0]:
                width, height = struct.unpack_from("<ii", self._data, at + 4)
                self._size, self._depth = (width, height), self._data[at + 14]
                self._plain = self._data[at + 16 : at + 20] in (bytes(4), b"DIB ")
                if not self._plain and self._data[at + 16 : at + 20] != b"MJPG":
                    raise unreadable(
                        path, "Its pictures are coded in a way that is not known here."
                    )
            elif name in (b"00dc", b"00db"):
                self.places.append((at, size))

    def __len__(self) -> int:
        return len(self.places)

    def picture(self, k: int) -> Array:
        """One picture: rows, columns, colours."""
        at, size = self.places[k]
        part = self._data[at : at + size]
        if not self._plain:
            return np.asarray(opened_image(part).convert("RGB"))
        width, height = self._size
        depth = self._depth // 8
        rows = np.frombuffer(part, np.uint8).reshape(abs(height), -1)[:, : width * depth]
        made = rows.reshape(abs(height), width, depth)[:: -1 if height > 0 else 1]
        return np.ascontiguousarray(made[:, :, ::-1] if depth == 3 else made)


class GifPictures:
    """The pictures of an animated GIF file, or of any other that Pillow reads.

    Attributes:
        rate: pictures per second.
    """

    def __init__(self, path: Path) -> None:
        self._image = opened_image(paths.content(path))
        self._count = int(getattr(self._image, "n_frames", 1))
        self.rate = 1000.0 / (float(self._image.info.get("duration", 100)) or 100.0)

    def __len__(self) -> int:
        return self._count

    def picture(self, k: int) -> Array:
        """One picture."""
        self._image.seek(k)
        return np.asarray(self._image.convert("RGB"))


def unreadable(path: Path, why: str) -> MatlabError:
    """The error for a film that cannot be read."""
    text = (
        f"Unable to read '{path.name}'. {why} Motion JPEG and uncompressed AVI files and "
        "animated GIF files can be read; other films can be turned into one with ffmpeg."
    )
    return MatlabError("MATLAB:audiovideo:VideoReader:UnsupportedFormat", text)


@native_type
class VideoReader(PropertyObject):
    """A film that is read picture by picture; a handle.

    Attributes:
        path: the file.
        film: its pictures.
        at: 0-based number of the next picture.
        facts: Tag and UserData.
    """

    class_name = "VideoReader"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.film: Any = (
                AviPictures(path) if paths.content(path)[:4] == b"RIFF" else (GifPictures(path))
            )
        except (OSError, struct.error) as problem:
            raise unreadable(path, "") from problem
        if not len(self.film):
            raise unreadable(path, "It has no pictures.")
        self.at = 0
        self.facts: dict[str, Value] = {"Tag": "", "UserData": np.zeros((0, 0))}
        self.shape_of_pictures = self.picture(0).shape

    def properties(self) -> dict[str, Value]:
        """All properties."""
        height, width, depth = self.shape_of_pictures
        count = float(len(self.film))
        return {
            "Name": self.path.name,
            "Path": str(self.path.parent),
            "Duration": count / self.film.rate,
            "CurrentTime": self.at / self.film.rate,
            "NumFrames": count,
            "NumberOfFrames": count,
            "Width": float(width),
            "Height": float(height),
            "FrameRate": float(self.film.rate),
            "BitsPerPixel": 8.0 * depth,
            "VideoFormat": "RGB24" if depth == 3 else "Grayscale",
            **self.facts,
        }

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``v.CurrentTime = seconds``."""
        if name == "CurrentTime":
            self.seek(real_number(value))
        elif name in self.facts:
            self.facts[name] = value
        else:
            text = f"Unable to set the '{name}' property of class 'VideoReader'."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        return self

    def seek(self, seconds: float) -> None:
        """Go to a time."""
        if not 0 <= seconds <= len(self.film) / self.film.rate:
            text = "CurrentTime must lie between 0 and the duration."
            raise MatlabError("MATLAB:VideoReader:invalidCurrentTime", text)
        self.at = int(np.ceil(seconds * self.film.rate - 1e-9))

    def picture(self, k: int) -> Array:
        """One picture by its 0-based number."""
        try:
            return np.asarray(self.film.picture(k))
        except (OSError, SyntaxError, UserWarning, ValueError, struct.error) as problem:
            raise unreadable(self.path, f"Its picture {k + 1} is damaged.") from problem

    def take(self) -> Array:
        """The next picture."""
        if self.at >= len(self.film):
            text = "No more frames available to read from file."
            raise MatlabError("MATLAB:audiovideo:VideoReader:EndOfFile", text)
        self.at += 1
        return self.picture(self.at - 1)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """read, readFrame, hasFrame and what all handles have."""
        return {
            "read": _read,
            "readFrame": lambda ctx, args, n: unwrap(args[0].take()),
            "hasFrame": lambda ctx, args, n: args[0].at < len(args[0].film),
            "get": _get,
            "isvalid": lambda ctx, args, n: True,
            "delete": lambda ctx, args, n: (),
        }

    def show(self, name: str, style: Any) -> str:
        """The properties, one line each."""
        from app.engine.values.display import disp

        return f"  VideoReader with properties:\n\n{disp(Struct(self.properties()), style)}"


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    shown = receiver(args, VideoReader).properties()
    return shown[text_of(args[1])] if len(args) > 1 else Struct(shown)


def _read(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    reader = receiver(args, VideoReader)
    film = reader.film
    wanted = (
        as_array(args[1]).ravel()
        if len(args) > 1 and not is_text_scalar(args[1])
        else (np.array([1, len(film)]))
    )
    ends = [len(film) if np.isinf(w) else int(w) for w in wanted]
    if min(ends) < 1 or max(ends) > len(film):
        text = f"Frames must be between 1 and {len(film)}."
        raise MatlabError("MATLAB:audiovideo:VideoReader:invalidFrame", text)
    pictures = [reader.picture(k - 1) for k in range(ends[0], ends[-1] + 1)]
    return unwrap(pictures[0] if len(ends) == 1 else np.stack(pictures, axis=3))


@builtin(
    "VideoReader",
    reads_file=True,
    category=_FAMILY,
    signatures=("v = VideoReader(file)", "v = VideoReader(file, 'CurrentTime', t)"),
    cases=(
        "w = VideoWriter('a.avi', 'Uncompressed AVI'); open(w); "
        "writeVideo(w, uint8(cat(3, [1 2], [3 4], [5 6]))); close(w); "
        "v = VideoReader('a.avi'); p = readFrame(v); "
        "isequal(p(:)', uint8(1:6)) && ~hasFrame(v)",
    ),
    see=("VideoWriter", "readFrame", "imread"),
)
def video_reader(file: Value, *options: Value) -> Value:
    """A film that is read picture by picture: Motion JPEG or uncompressed AVI, animated GIF."""
    path = Path(text_of(file)).expanduser()
    if not path.is_file():
        text = "The filename specified was not found in the MATLAB path."
        raise MatlabError("MATLAB:audiovideo:VideoReader:FileNotFound", text)
    made = VideoReader(path.resolve())
    for name, value in option_pairs("VideoReader", options, "CurrentTime Tag UserData").items():
        if name == "currenttime":
            made.seek(real_number(value))
        elif name in ("tag", "userdata"):
            made.facts["Tag" if name == "tag" else "UserData"] = value
    return made


def declare_reading(name: str, signatures: tuple[str, ...], summary: str, truth: str) -> None:
    """Declare a function of films."""

    def call(ctx: CallContext, v: Value, *args: Value) -> Value:
        if not isinstance(v, VideoReader):
            raise undefined_for_class(name, v)
        return v.methods()[name](ctx, (v, *args), 1)

    case = (
        "w = VideoWriter('a.avi'); open(w); writeVideo(w, uint8(zeros(8, 8, 3, 2))); close(w); "
        f"v = VideoReader('a.avi'); {truth}"
    )
    builtin(
        name,
        category=_FAMILY,
        signatures=signatures,
        text=summary,
        cases=(case,),
        see=("VideoReader",),
    )(call)


declare_reading(
    "readFrame",
    ("p = readFrame(v)",),
    "The next picture of a film.",
    "isequal(size(readFrame(v)), [8 8 3])",
)
declare_reading(
    "hasFrame", ("tf = hasFrame(v)",), "True while pictures of a film are left.", "hasFrame(v)"
)
declare_reading(
    "read",
    ("p = read(v)", "p = read(v, k)", "p = read(v, [first last])"),
    "One picture of a film, several, or all.",
    "isequal(size(read(v)), [8 8 3 2])",
)


@builtin(
    "VideoReader.getFileFormats",
    category=_FAMILY,
    signatures=("formats = VideoReader.getFileFormats",),
    cases=("any(strcmp({VideoReader.getFileFormats().Extension}, 'avi'))",),
    see=("VideoReader", "imformats"),
)
def video_formats() -> Value:
    """The kinds of films that can be read, one element each: Extension, Description,
    ContainsVideo, ContainsAudio."""
    rows = [
        {"Extension": e, "Description": d, "ContainsVideo": True, "ContainsAudio": False}
        for e, d in (("avi", "AVI File"), ("gif", "Graphics Interchange Format"))
    ]
    return StructArray.of([Struct(dict(row)) for row in rows], (1, len(rows)))
