"""Sound in WAV files: audioread, audiowrite, audioinfo."""

from __future__ import annotations

import math
import os
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from app import paths
from app.engine.arguments.checks import option_pairs
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    is_char,
    is_string,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "sound"
_CHUNK = struct.Struct("<4sI")


def _read(name: Value) -> tuple[int, Array]:
    from scipy.io import wavfile

    path = Path(text_of(name)).expanduser()
    if path.suffix.lower() not in (".wav", ".wave"):
        text = f"The file type of '{path.name}' is not supported; only WAV files are."
        raise MatlabError("MATLAB:audiovideo:audioread:fileTypeNotSupported", text)
    try:
        paths.check_file(path)
        with reading("audioread", path), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", "Reached EOF prematurely")
            _check_whole(path)
            rate, data = wavfile.read(path)
    except FileNotFoundError as problem:
        text = "The filename specified was not found in the MATLAB path."
        raise MatlabError("MATLAB:audiovideo:audioread:fileNotFound", text) from problem
    return rate, data.reshape(len(data), -1)


def _check_whole(path: Path) -> None:
    """Raise ValueError where a file ends before its samples do: the library overlooks the last."""
    with path.open("rb") as file:
        left = path.stat().st_size - len(head := file.read(12))
        while head[:4] == b"RIFF" and left >= _CHUNK.size:
            name, size = _CHUNK.unpack(file.read(_CHUNK.size))
            left -= _CHUNK.size
            if name == b"data" and size > left:
                raise ValueError(f"{size - left} bytes of its samples are missing")
            left -= size + size % 2
            file.seek(size + size % 2, os.SEEK_CUR)


def _range_of_samples(given: Array, count: int) -> slice:
    """Where `[first last]` of so many samples lie."""
    ends = [float(n) for n in given.ravel()]
    numbers = ends[:1] if ends[1:] == [math.inf] else ends
    if len(ends) != 2 or not all(n.is_integer() and n >= 1 for n in numbers) or ends[0] > ends[1]:
        text = "The range of samples must be [first last]: two positive integers, the first not "
        text += "above the second, which may be Inf."
        raise MatlabError("MATLAB:audiovideo:audioread:invalidRange", text)
    if max(numbers) > count:
        text = f"The range of samples goes to {max(numbers):.0f}; the file has {count}."
        raise MatlabError("MATLAB:audiovideo:audioread:endOfFile", text)
    return slice(int(ends[0]) - 1, count if math.isinf(ends[1]) else int(ends[1]))


def _samples_of_data(data: Array) -> Array:
    """Samples from -1 to 1."""
    if data.dtype == np.uint8:
        return np.asarray((data.astype(np.float64) - 128) / 128)
    if data.dtype.kind == "i":
        return np.asarray(data / float(2 ** (8 * data.dtype.itemsize - 1)))
    return data.astype(np.float64)


@builtin(
    "audioread",
    reads_file=True,
    most=3,
    words="native double",
    category=_FAMILY,
    signatures=(
        "[y, Fs] = audioread(file)",
        "[y, Fs] = audioread(file, [first last])",
        "[y, Fs] = audioread(file, 'native')",
    ),
    cases=(
        "audiowrite('a.wav', [0; 0.5], 8000); [y, fs] = audioread('a.wav'); "
        "fs == 8000 && numel(y) == 2",
    ),
    see=("audiowrite",),
)
def audioread(name: Value, *options: Value) -> tuple[Value, float]:
    """Samples (one column per channel, from -1 to 1) and rate of a WAV file.

    `[first last]` are numbers of samples; `last` may be Inf. A range that is none, or goes beyond
    the end of the file, is an error.
    """
    rate, data = _read(name)
    native = False
    for o in options:
        if is_char(o) or is_string(o):
            native = text_of(o).lower() == "native"
        else:
            data = data[_range_of_samples(as_array(o), len(data))]
    return (unwrap(data) if native else canonical(_samples_of_data(data))), float(rate)


@builtin(
    "audiowrite",
    category=_FAMILY,
    signatures=("audiowrite(file, y, Fs)", "audiowrite(file, y, Fs, 'BitsPerSample', n)"),
    cases=("audiowrite('a.wav', sin(1:100)', 8000); isfile('a.wav')",),
    see=("audioread",),
)
def audiowrite(name: Value, y: Value, rate: Value, *options: Value) -> None:
    """Write samples into a WAV file, with 16 bits unless told otherwise."""
    from scipy.io import wavfile

    words = option_pairs("audiowrite", options, "BitsPerSample")
    bits = int_of(words["bitspersample"]) if "bitspersample" in words else 16
    data = as_array(y)
    data = data.reshape(-1, 1) if data.shape[0] == 1 else data
    if data.dtype.kind == "f":
        data = _data_of_samples(data.astype(np.float64), bits)
    path = Path(text_of(name)).expanduser()
    if path.suffix.lower() not in (".wav", ".wave"):
        text = f"The file type of '{path.name}' is not supported; only WAV files are."
        raise MatlabError("MATLAB:audiovideo:audiowrite:invalidFileExtension", text)
    with paths.written_whole(path) as part:
        wavfile.write(part, int_of(rate), np.ascontiguousarray(data))


def _data_of_samples(data: Array, bits: int) -> Array:
    """Samples from -1 to 1 as the numbers of a bit depth."""
    kinds: dict[int, Any] = {8: np.uint8, 16: np.int16, 32: np.int32, 64: np.float64}
    if bits not in kinds:
        text = f"BitsPerSample {bits} is not supported; use 8, 16, 32 or 64."
        raise MatlabError("MATLAB:audiovideo:audiowrite:invalidBitsPerSample", text)
    if bits == 64:
        return data
    top = 2.0 ** (bits - 1)
    whole = np.clip(np.round(data * top), -top, top - 1)
    return (whole + 128 if bits == 8 else whole).astype(kinds[bits])


@builtin(
    "audioinfo",
    reads_file=True,
    category=_FAMILY,
    signatures=("info = audioinfo(file)",),
    cases=(
        "audiowrite('a.wav', zeros(80, 1), 8000); s = audioinfo('a.wav'); s.SampleRate == 8000",
    ),
    see=("audioread",),
)
def audioinfo(name: Value) -> Value:
    """Facts of a WAV file: rate, channels, samples, duration, bits."""
    rate, data = _read(name)
    return Struct(
        {
            "Filename": str(Path(text_of(name)).expanduser().resolve()),
            "CompressionMethod": "Uncompressed",
            "NumChannels": float(data.shape[1]),
            "SampleRate": float(rate),
            "TotalSamples": float(data.shape[0]),
            "Duration": data.shape[0] / rate,
            "BitsPerSample": 8.0 * data.dtype.itemsize,
        }
    )
