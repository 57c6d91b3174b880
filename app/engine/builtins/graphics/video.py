"""Films: VideoWriter writes Motion JPEG or uncompressed AVI files."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT, receiver, takes
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    NativeObject,
    Struct,
    StructArray,
    Value,
    as_array,
    float_of,
    host,
    text_of,
)
from app.errors import MatlabError, reason_of

PROFILES = {"motion jpeg avi": "MJPG", "uncompressed avi": "DIB ", "grayscale avi": "Y8  "}
_MISSING = ("mpeg-4", "archival", "motion jpeg 2000", "indexed avi")
_HEAD = 4096
"""Bytes before the first picture: the headers, filled in when the file is closed."""


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", len(data) + 4) + name + data


class AviFile:
    """An AVI file that grows picture by picture.

    Attributes:
        count: pictures so far.
    """

    def __init__(self, path: Path, code: str) -> None:
        if path.exists():
            paths.check_file(path)  # places in it are filled in at the end
        self._file: BinaryIO = path.open("wb")
        self._code = code
        self._index: list[tuple[int, int]] = []
        self._size = (0, 0)
        self._file.write(bytes(_HEAD))

    @property
    def count(self) -> int:
        """Pictures so far."""
        return len(self._index)

    def add(self, pixels: Array, quality: int) -> None:
        """Append a picture: rows, columns, red-green-blue or grey."""
        height, width = pixels.shape[:2]
        if self._index and (width, height) != self._size:
            text = f"Frame must be {self._size[0]} by {self._size[1]}."
            raise MatlabError("MATLAB:audiovideo:VideoWriter:invalidDimensions", text)
        self._size = width, height
        data = self._encoded_frame(pixels, quality)
        self._index.append((self._file.tell() - _HEAD + 4, len(data)))
        self._file.write(_chunk(b"00dc" if self._code == "MJPG" else b"00db", data))

    def _encoded_frame(self, pixels: Array, quality: int) -> bytes:
        if self._code == "MJPG":
            from PIL import Image

            stream = io.BytesIO()
            Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "JPEG", quality=quality)
            return stream.getvalue()
        rows = pixels[::-1] if pixels.ndim == 2 else pixels[::-1, :, ::-1]
        flat = np.ascontiguousarray(rows).reshape(pixels.shape[0], -1)
        return np.pad(flat, ((0, 0), (0, -flat.shape[1] % 4))).tobytes()

    def close(self, rate: float) -> None:
        """Write the headers and the index."""
        end = self._file.tell()
        flags = 16  # every picture stands for itself
        name = b"00dc" if self._code == "MJPG" else b"00db"
        entries = b"".join(struct.pack("<4sIII", name, flags, *entry) for entry in self._index)
        self._file.write(_chunk(b"idx1", entries))
        total = self._file.tell()
        self._file.seek(0)
        self._file.write(self._head(rate, end, total))
        self._file.close()

    def _head(self, rate: float, end: int, total: int) -> bytes:
        """The RIFF header up to the pictures, padded to a fixed length."""
        stream = _chunk(b"strh", self._stream_header(rate)) + _chunk(b"strf", self._bitmap_header())
        main = _chunk(b"avih", self._main_header(rate))
        lists = _list(b"hdrl", main + _list(b"strl", stream))
        junk = _HEAD - 12 - len(lists) - 8 - 12
        head = b"RIFF" + struct.pack("<I", total - 8) + b"AVI " + lists
        head += b"JUNK" + struct.pack("<I", junk) + bytes(junk)
        return head + b"LIST" + struct.pack("<I", end - _HEAD + 4) + b"movi"

    def _largest(self) -> int:
        return max((size for _place, size in self._index), default=0)

    def _main_header(self, rate: float) -> bytes:
        """AVIMAINHEADER: microseconds per picture, bytes per second, flags, counts, size."""
        largest = self._largest()
        has_index = 0x10
        timing = (round(1e6 / rate), round(largest * rate), 0, has_index)
        return struct.pack("<14I", *timing, self.count, 0, 1, largest, *self._size, 0, 0, 0, 0)

    def _stream_header(self, rate: float) -> bytes:
        """AVISTREAMHEADER of the one video stream; the rate is a fraction of thousandths."""
        timing = (1000, round(1000 * rate), 0, self.count)
        head = struct.pack("<4s4sIHHI", b"vids", self._code.encode(), 0, 0, 0, 0)
        frame = (0, 0, *self._size)
        return head + struct.pack("<IIIIIiIhhhh", *timing, self._largest(), -1, 0, *frame)

    def _bitmap_header(self) -> bytes:
        """BITMAPINFOHEADER, with a palette of greys for pictures of one byte a pixel."""
        width, height = self._size
        grey = self._code == "Y8  "
        coding = b"MJPG" if self._code == "MJPG" else bytes(4)
        size = (40, width, height, 1, 8 if grey else 24, coding, self._largest())
        form = struct.pack("<IiiHH4sIiiII", *size, 0, 0, 256 if grey else 0, 0)
        if grey:
            form += b"".join(bytes((k, k, k, 0)) for k in range(256))
        return form


class VideoWriter(NativeObject):
    """A film that is being written.

    Attributes:
        path: the file.
        profile: how pictures are coded.
        values: FrameRate and Quality.
    """

    class_name = "VideoWriter"
    is_handle = True
    superclasses = ("handle",)

    def __init__(self, path: Path, profile: str) -> None:
        self.path = path
        self.profile = profile
        self.values = {"FrameRate": 30.0, "Quality": 75.0}
        self._file: AviFile | None = None
        self._count = 0
        self._size = (0.0, 0.0)

    # --- properties -----------------------------------------------------------------------

    def _shown_properties(self) -> dict[str, Value]:
        return {
            "Filename": self.path.name,
            "Path": str(self.path.parent),
            "FileFormat": "avi",
            "FrameCount": float(self._count),
            "Height": self._size[0],
            "Width": self._size[1],
            "VideoFormat": "Grayscale" if self.profile.startswith("Gray") else "RGB24",
            "VideoCompressionMethod": self.profile.removesuffix(" AVI"),
            "ColorChannels": 3.0,
            "Duration": self._count / self.values["FrameRate"],
            **self.values,
        }

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``v.FrameRate``; ``v.open()``."""
        if name in self.methods():
            return self.methods()[name](ctx, (self, *(args or ())), nargout)
        shown = self._shown_properties()
        if name not in shown:
            raise MatlabError(
                "MATLAB:noSuchMethodOrField",
                f"Unrecognized method, property, or field '{name}' for class 'VideoWriter'.",
            )
        return shown[name]

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``v.FrameRate = 10``, before it is opened."""
        if name not in self.values:
            raise MatlabError(
                "MATLAB:class:SetProhibited",
                f"Unable to set the '{name}' property of class 'VideoWriter'.",
            )
        if self._file is not None:
            raise MatlabError(
                "MATLAB:audiovideo:VideoWriter:setAfterOpen",
                f"{name} cannot be set after OPEN has been called.",
            )
        self.values[name] = float_of(value)
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What can be done with a film."""
        return {
            "open": _open,
            "close": _close,
            "writeVideo": _write,
            "delete": _close,
            "isvalid": lambda *_args: True,
        }

    def members(self) -> list[str]:
        """All properties."""
        return list(self._shown_properties())

    def show(self, name: str, style: Any) -> str:
        """What a display shows."""
        rows = "".join(f"{key:>26}: {value}\n" for key, value in self._shown_properties().items())
        return f"  VideoWriter\n\n{rows}"

    # --- writing --------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the file."""
        if self._file is None:
            try:
                self._file = AviFile(self.path, PROFILES[self.profile.lower()])
            except OSError as problem:
                raise MatlabError(
                    "MATLAB:audiovideo:VideoWriter:fileNotWritable",
                    f"Cannot create file '{self.path}': {reason_of(problem)}.",
                ) from problem

    def append(self, pixels: Array) -> None:
        """Add a picture."""
        if self._file is None:
            raise MatlabError(
                "MATLAB:audiovideo:VideoWriter:notOpen",
                "OPEN must be called before writing video data.",
            )
        self._file.add(
            _bytes_of(pixels, grey=self.profile.startswith("Gray")), round(self.values["Quality"])
        )
        self._count += 1
        self._size = float(pixels.shape[0]), float(pixels.shape[1])

    def finish(self) -> None:
        """End the file."""
        if self._file is not None:
            self._file.close(self.values["FrameRate"])
            self._file = None


def _bytes_of(pixels: Array, *, grey: bool) -> Array:
    """A picture of any numeric class as bytes."""
    if pixels.dtype.kind == "f":
        if pixels.size and (np.nanmin(pixels) < 0 or np.nanmax(pixels) > 1):
            raise MatlabError(
                "MATLAB:audiovideo:VideoWriter:invalidRange",
                "IMG must have values between 0 and 1.",
            )
        pixels = np.floor(pixels * 255 + 0.5)
    pixels = pixels.astype(np.uint8)
    if grey and pixels.ndim == 3:
        return np.round(pixels @ [0.299, 0.587, 0.114]).astype(np.uint8)
    return pixels if grey or pixels.ndim == 3 else np.repeat(pixels[:, :, None], 3, axis=2)


native_type(VideoWriter)


def _open(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    receiver(args, VideoWriter).start()
    return None


def _close(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    receiver(args, VideoWriter).finish()
    return None


def _pictures(value: Value) -> list[Array]:
    """The pictures of a frame, of several, or of an image array."""
    if isinstance(value, Struct):
        return [as_array(value.fields["cdata"])]
    if isinstance(value, StructArray):
        return [as_array(item) for item in value.fields["cdata"].reshape(-1, order="F")]
    array = as_array(host(value, "video"))
    if array.ndim == 4:
        return [array[..., k] for k in range(array.shape[3])]
    return [array]


def _write(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    film = receiver(args, VideoWriter)
    for picture in _pictures(args[1]):
        film.append(picture)
    return None


@builtin(
    "VideoWriter",
    category="graphics",
    cases=(
        "v = VideoWriter('a.avi'); open(v); "
        "writeVideo(v, uint8(zeros(16, 16, 3))); close(v); isfile('a.avi')",
        'v = VideoWriter("b", "Grayscale AVI"); open(v); writeVideo(v, uint8(zeros(16))); '
        "close(v); isfile('b.avi')",
    ),
    see=("getframe", "writeVideo"),
    signatures=("v = VideoWriter(filename)", "VideoWriter(filename,profile)"),
)
@takes(TEXT)
def video_writer(name: Value, profile: Value = "Motion JPEG AVI") -> Value:
    """Make a film: open it, writeVideo frames or images, close it.

    Profiles: 'Motion JPEG AVI' (the default), 'Uncompressed AVI', 'Grayscale AVI'.
    """
    word = text_of(profile)
    if word.lower() in _MISSING:
        raise MatlabError(
            "MATLAB:audiovideo:VideoWriter:profileNotFound",
            f"There is no encoder for '{word}' here. Use 'Motion JPEG AVI'.",
        )
    if word.lower() not in PROFILES:
        known = ", ".join(
            f"'{name.title().replace('Jpeg', 'JPEG').replace('Avi', 'AVI')}'" for name in PROFILES
        )
        raise MatlabError(
            "MATLAB:audiovideo:VideoWriter:profileNotFound",
            f"'{word}' is not a profile. Use one of {known}.",
        )
    path = Path(text_of(name))
    path = path if path.suffix.lower() == ".avi" else path.with_name(path.name + ".avi")
    spelled = next(key for key in PROFILES if key == word.lower())
    return VideoWriter(
        path,
        "Grayscale AVI"
        if spelled.startswith("gray")
        else "Uncompressed AVI"
        if spelled.startswith("un")
        else "Motion JPEG AVI",
    )


@builtin(
    "writeVideo",
    category="graphics",
    signatures=("writeVideo(v,frame)", "writeVideo(v,img)"),
    cases=(
        "v = VideoWriter('a.avi'); open(v); "
        "writeVideo(v, uint8(zeros(16, 16, 3))); close(v); isfile('a.avi')",
    ),
    see=("VideoWriter",),
)
def write_video(ctx: CallContext, writer: Value, frames: Value) -> None:
    """Append frames or images to a film."""
    if not isinstance(writer, VideoWriter):
        raise MatlabError(
            "MATLAB:audiovideo:VideoWriter:invalidInput", "The first input must be a VideoWriter."
        )
    _write(ctx, (writer, frames), 0)
