"""Medical pictures: dicomread, dicominfo, dicomwrite, dicomlookup, isdicom, dicomuid."""

from __future__ import annotations

import datetime as dt
import io
import itertools
import struct
import uuid
from pathlib import Path

import numpy as np

from app import memory, paths
from app.engine.arguments.checks import NUMBERS, flag, option_pairs
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError
from app.toolboxes.images import dicom_elements
from app.toolboxes.images.dicom_elements import EXPLICIT, PIXELS, Element, File

_FAMILY = "images"
_RUN_LENGTH = "1.2.840.10008.1.2.5"
_PILLOW = {f"1.2.840.10008.1.2.4.{end}" for end in ("50", "51", "90", "91")}
"""JPEG of 8 bits and JPEG 2000, which Pillow decodes."""
_SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"


def _bytes(name: str, file: Value) -> tuple[Path, bytes]:
    """A file and its bytes; a struct of dicominfo stands for the file it describes."""
    given = file.fields.get("Filename", "") if isinstance(file, Struct) else file
    path = Path(text_of(given)).expanduser()
    for place in (path, path.with_name(f"{path.name}.dcm")):
        if place.is_file():
            return place, paths.content(place)
    raise MatlabError(f"images:{name}:fileNotFound", f"There is no file '{path}'.")


@builtin(
    "isdicom",
    reads_file=True,
    category=_FAMILY,
    signatures=("tf = isdicom(file)",),
    cases=("dicomwrite(uint8([1 2]), 'a.dcm'); isdicom('a.dcm')",),
    see=("dicominfo",),
)
def isdicom(file: Value) -> bool:
    """Whether a file is a DICOM file of part 10 of the standard."""
    return _bytes("isdicom", file)[1][128:132] == b"DICM"


@builtin(
    "dicominfo",
    reads_file=True,
    category=_FAMILY,
    signatures=("info = dicominfo(file)", "info = dicominfo(file, 'UseVRHeuristic', tf)"),
    cases=(
        "dicomwrite(uint16(magic(4)), 'a.dcm'); i = dicominfo('a.dcm'); "
        "i.Width == 4 && i.BitDepth == 16 && i.Rows == 4 && strcmp(i.ColorType, 'grayscale')",
        "dicomwrite(uint8(1), 'b.dcm', struct('PatientName', struct('FamilyName', 'Roe', "
        "'GivenName', 'Ann'), 'PixelSpacing', [0.5; 0.25])); i = dicominfo('b.dcm'); "
        "strcmp(i.PatientName.GivenName, 'Ann') && isequal(i.PixelSpacing, [0.5; 0.25])",
    ),
    see=("dicomread", "dicomwrite", "dicomlookup"),
)
def dicominfo(file: Value, *rest: Value) -> Value:
    """What a DICOM file says: a struct of the file's facts and its data elements by their names.

    Numbers are columns of their class (decimal strings doubles), names of people structs, sequences
    structs of Item_1, Item_2, ...; elements that the standard does not name are Private_gggg_eeee
    bytes. Kinds of values are taken as written ('UseVRHeuristic' mends those of some old files).
    """
    flag(option_pairs("dicominfo", rest, "UseVRHeuristic"), "usevrheuristic")
    path, data = _bytes("dicominfo", file)
    with reading("dicominfo", path):
        found = dicom_elements.parsed(data)
    colour = {"RGB": "truecolor", "PALETTE COLOR": "indexed"}
    word = text_of(found.value("PhotometricInterpretation", ""))
    kind = "truecolor" if word.startswith("YBR") else colour.get(word, "grayscale")
    changed = dt.datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    facts: dict[str, Value] = {
        "Filename": str(path.resolve()),
        "FileModDate": changed.strftime("%d-%b-%Y %H:%M:%S"),
        "FileSize": float(len(data)),
        "Format": "DICOM",
        "FormatVersion": 3.0,
        "Width": float(found.number("Columns")),
        "Height": float(found.number("Rows")),
        "BitDepth": float(found.number("BitsStored")),
        "ColorType": kind if found.number("Rows") else "",
    }
    return Struct({**facts, **dicom_elements.fields_of(found.elements, found.order).fields})


@builtin(
    "dicomread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "X = dicomread(file)",
        "X = dicomread(info)",
        "[X, map, alpha, overlays] = dicomread(...)",
        "X = dicomread(..., 'Frames', f)",
    ),
    cases=(
        "X = int16(magic(4)) - 8; dicomwrite(X, 'a.dcm'); isequal(dicomread('a.dcm'), X)",
        "X = uint8(cat(3, [1 2], [3 4], [5 6])); dicomwrite(X, 'c.dcm'); "
        "isequal(dicomread(dicominfo('c.dcm')), X)",
    ),
    see=("dicominfo", "imshow"),
)
def dicomread(file: Value, *rest: Value) -> Value:
    """The pixels of a DICOM file: rows by columns by colours by frames, in the class they have.

    Files of no picture give []. Read are pixels without compression, run lengths, JPEG of 8 bits
    and JPEG 2000. map is the palette of an indexed picture, overlays the planes laid over it.
    """
    options = option_pairs("dicomread", rest, "Frames UseVRHeuristic")
    flag(options, "usevrheuristic")
    path, data = _bytes("dicomread", file)
    with reading("dicomread", path):
        found = dicom_elements.parsed(data)
        pixels = next((e for e in found.elements if e.tag == PIXELS), None)
        if pixels is None and found.number("Rows"):
            raise ValueError("the picture that it describes is missing")
    nothing = np.zeros((0, 0))
    if pixels is None:
        return nothing, nothing, nothing, nothing
    with reading("dicomread", path):
        frames = _frames(found, pixels)
    if "frames" in options and not is_text_scalar(options["frames"]):
        wanted = flat_doubles(options["frames"]).astype(int) - 1
        if wanted.size and not 0 <= wanted.min() <= wanted.max() < frames.shape[3]:
            text = f"Frames lie between 1 and {frames.shape[3]}."
            raise MatlabError("images:dicomread:badFrame", text)
        frames = frames[..., wanted]
    if frames.shape[3] == 1:
        frames = frames[..., 0] if frames.shape[2] > 1 else frames[:, :, 0, 0]
    return unwrap(np.asfortranarray(frames)), _palette(found), nothing, _overlays(found)


def _frames(found: File, pixels: Element) -> Array:
    """All samples: rows, columns, colours, frames."""
    rows, columns = found.number("Rows"), found.number("Columns")
    samples, count = found.number("SamplesPerPixel", 1), max(found.number("NumberOfFrames", 1), 1)
    bits = found.number("BitsAllocated", 8)
    memory.require(rows * columns * samples * count * bits / 8, "the pixels of the file")
    if bits not in (8, 16, 32):
        text = f"Pixels of {bits} bits are not read; those of 8, 16 and 32 are."
        raise MatlabError("images:dicomread:bitsAllocated", text)
    signed = bool(found.number("PixelRepresentation"))
    size = rows * columns * samples
    planes = found.number("PlanarConfiguration") == 1
    if pixels.fragments:
        flat = np.concatenate(
            [_decoded(found, part, bits, signed) for part in _joined(pixels, count)]
        )
        planes = planes or found.syntax == _RUN_LENGTH
        planes = planes and found.syntax not in _PILLOW
    else:
        flat = dicom_elements.pixel_array(pixels.data, found.order, bits, signed=signed)
    colours = text_of(found.value("PhotometricInterpretation", ""))
    if not pixels.fragments and colours in ("YBR_FULL_422", "YBR_PARTIAL_422", "YBR_PARTIAL_420"):
        text = f"Pixels of {colours} without compression are not read; RGB and YBR_FULL are."
        raise MatlabError("images:dicomread:photometricInterpretation", text)
    if flat.size < size * count:
        raise ValueError("it has fewer pixels than it says")
    flat = flat[: size * count]
    stored = found.number("BitsStored", bits)
    if stored < bits and not pixels.fragments:
        flat = (flat << (bits - stored)) >> (bits - stored)
    if planes:
        made = flat.reshape(count, samples, rows, columns).transpose(2, 3, 1, 0)
    else:
        made = flat.reshape(count, rows, columns, samples).transpose(1, 2, 3, 0)
    is_luminance = colours == "YBR_FULL" and samples == 3 and found.syntax not in _PILLOW
    return _red_green_blue(made) if is_luminance else made


def _red_green_blue(x: Array) -> Array:
    """Colours from luminance and two differences of 8 bits (part 3 of the standard, C.7.6.3)."""
    y, b, r = (x[:, :, k].astype(float) - (128 if k else 0) for k in range(3))
    made = np.stack([y + 1.402 * r, y - 0.344136 * b - 0.714136 * r, y + 1.772 * b], axis=2)
    return np.clip(np.round(made), 0, 255).astype(x.dtype)


def _joined(pixels: Element, count: int) -> list[bytes]:
    """The compressed bytes of each frame."""
    table, *parts = pixels.fragments
    if len(parts) == count:
        return parts
    if count == 1:
        return [b"".join(parts)]
    starts = np.frombuffer(table, "<u4")
    places = np.cumsum([0, *(8 + len(p) for p in parts)])[:-1]
    owner = np.searchsorted(starts, places, side="right") - 1
    if starts.size != count:
        raise ValueError("the places of its frames are not written")
    return [b"".join(p for p, o in zip(parts, owner, strict=True) if o == k) for k in range(count)]


def _decoded(found: File, data: bytes, bits: int, signed: bool) -> Array:
    """The samples of one compressed frame."""
    if found.syntax == _RUN_LENGTH:
        return _from_run_lengths(data, bits, signed)
    if found.syntax in _PILLOW:
        from PIL import Image

        with Image.open(io.BytesIO(data)) as image:
            pixels = np.asarray(image)
        return _as_coded(np.ascontiguousarray(pixels).ravel(), data, bits, signed)
    text = f"Pixels of the transfer syntax {found.syntax} are not read; "
    text += "without compression, as run lengths, JPEG of 8 bits and JPEG 2000 they are."
    raise MatlabError("images:dicomread:unsupportedTransferSyntax", text)


def _as_coded(pixels: Array, data: bytes, bits: int, signed: bool) -> Array:
    """The samples that were coded: Pillow lifts those of JPEG 2000 to full words."""
    kind = np.dtype(f"{'i' if signed else 'u'}{bits // 8}")
    at = data.find(b"\xff\x51")
    if at < 0 or data[:2] == b"\xff\xd8":
        return pixels.astype(kind)
    sign, depth = data[at + 40] >> 7, (data[at + 40] & 127) + 1
    lifted = pixels.astype(np.int64) >> (8 * pixels.dtype.itemsize - depth)
    return (lifted - (sign << (depth - 1))).astype(kind)


def _from_run_lengths(data: bytes, bits: int, signed: bool) -> Array:
    """Samples from segments of bytes, the highest byte of each sample first, colour by colour."""
    count = struct.unpack("<I", data[:4])[0]
    starts = [*struct.unpack(f"<{count}I", data[4 : 4 + 4 * count]), len(data)]
    segments = [_unpacked(data[a:b]) for a, b in itertools.pairwise(starts)]
    width = bits // 8
    colours = []
    for k in range(0, count, width):
        least = min(len(s) for s in segments[k : k + width])
        planes = [np.frombuffer(s[:least], np.uint8) for s in segments[k : k + width]]
        colours.append(np.stack(planes, axis=1).ravel())
    letter = "i" if signed else "u"
    kind = np.dtype(f">{letter}{width}")
    return np.concatenate(colours).view(kind).astype(kind.newbyteorder("="))


def _unpacked(data: bytes) -> bytes:
    """Bytes from PackBits."""
    made, at = bytearray(), 0
    while at < len(data):
        n = data[at]
        if n < 128:
            made += data[at + 1 : at + 2 + n]
            at += 2 + n
        elif n > 128:
            made += data[at + 1 : at + 2] * (257 - n)
            at += 2
        else:
            at += 1
    return bytes(made)


def _palette(found: File) -> Value:
    colours = []
    for name in ("Red", "Green", "Blue"):
        table = found.value(f"{name}PaletteColorLookupTableData")
        facts = found.value(f"{name}PaletteColorLookupTableDescriptor")
        if table is None or facts is None:
            return np.zeros((0, 0))
        bits = int(as_array(facts).ravel()[2])
        colours.append(as_array(table).ravel().astype(float) / (2**bits - 1))
    return canonical(np.array(colours).T)


def _overlays(found: File) -> Value:
    """The planes of groups 6000 to 601E as masks: rows by columns by 1 by planes."""
    planes = []
    for group in range(0x6000, 0x6020, 2):
        facts = {e.tag & 0xFFFF: e for e in found.elements if e.tag >> 16 == group}
        if {0x10, 0x11, 0x3000} <= set(facts):
            rows, columns = (
                int(as_array(dicom_elements.value_of(facts[k], found.order)).flat[0])
                for k in (0x10, 0x11)
            )
            bits = np.unpackbits(np.frombuffer(facts[0x3000].data, np.uint8), bitorder="little")
            planes.append(bits[: rows * columns].reshape(rows, columns).astype(bool))
    if not planes or len({p.shape for p in planes}) > 1:
        return np.zeros((0, 0))
    return unwrap(np.stack(planes, axis=-1)[:, :, None, :])


@builtin(
    "dicomwrite",
    category=_FAMILY,
    least=2,
    signatures=("dicomwrite(X, file)", "dicomwrite(X, file, info)", "dicomwrite(..., name, value)"),
    cases=(
        "dicomwrite(uint8([1 2; 3 4]), 'a.dcm', 'PatientID', 'x1'); "
        "i = dicominfo('a.dcm'); strcmp(i.PatientID, 'x1') && i.Height == 2",
    ),
    see=("dicomread", "dicominfo"),
)
def dicomwrite(pixels: Value, file: Value, *rest: Value) -> Value:
    """Write pixels (rows by columns, by 3 colours, by frames) as a DICOM file without compression.

    X is of an integer class of 8, 16 or 32 bits, or logical; what a struct of dicominfo or pairs of
    a keyword and a value say of patient, study and series is written too. The file is a secondary
    capture unless they say another SOPClassUID.
    """
    NUMBERS("dicomwrite", 1, pixels)
    x = np.asarray(as_array(pixels))
    x = x.astype(np.uint8) if x.dtype == bool else x
    if x.dtype.kind not in "iu" or x.dtype.itemsize > 4 or x.ndim > 4:
        text = "The pixels must be of an integer class of 8, 16 or 32 bits, or logical."
        raise MatlabError("images:dicomwrite:pixelClass", text)
    rows, columns, samples, frames = shape = (*x.shape, 1, 1)[:4]
    x = x.reshape(shape)
    if samples not in (1, 3):
        raise MatlabError("images:dicomwrite:samples", "The pixels must have 1 or 3 colours.")
    info = rest[0].fields if rest and isinstance(rest[0], Struct) else {}
    named = rest[1:] if rest and isinstance(rest[0], Struct) else rest
    for name, value in zip(named[::2], named[1::2], strict=False):
        word = text_of(name)
        if word not in dicom_elements.tags() or len(named) % 2:
            text = f"'{word}' is not a DICOM keyword, or lacks its value."
            raise MatlabError("images:dicomwrite:unknownKeyword", text)
        info = {**info, word: value}
    bits = float(8 * x.dtype.itemsize)
    stored = float(as_array(info["BitsStored"]).flat[0]) if "BitsStored" in info else bits
    facts: dict[str, Value] = {
        "SOPClassUID": _SECONDARY_CAPTURE,
        "SOPInstanceUID": _identifier(),
        "StudyInstanceUID": _identifier(),
        "SeriesInstanceUID": _identifier(),
        "Modality": "OT",
        "PatientName": "",
        "PatientID": "",
        **info,
        "SamplesPerPixel": float(samples),
        "PhotometricInterpretation": "RGB" if samples == 3 else _grey(info),
        "Rows": float(rows),
        "Columns": float(columns),
        "BitsAllocated": bits,
        "BitsStored": min(stored, bits),
        "HighBit": min(stored, bits) - 1,
        "PixelRepresentation": float(x.dtype.kind == "i"),
        **({"NumberOfFrames": float(frames)} if frames > 1 else {}),
        **({"PlanarConfiguration": 0.0} if samples == 3 else {}),
    }
    body = dicom_elements.all_written("dicomwrite", Struct(facts))
    flat = x.transpose(3, 0, 1, 2).astype(x.dtype.newbyteorder("<")).tobytes()
    pixel = dicom_elements.written(PIXELS, "OB" if bits == 8 else "OW", flat)
    paths.put_whole(Path(text_of(file)).expanduser(), _head(facts) + body + pixel)
    return ()


def _grey(info: dict[str, Value]) -> str:
    word = text_of(info.get("PhotometricInterpretation", "MONOCHROME2"))
    return word if word.startswith("MONOCHROME") else "MONOCHROME2"


def _head(facts: dict[str, Value]) -> bytes:
    """The preamble and the elements of group 2."""
    write = dicom_elements.written
    meta = (
        write(0x00020001, "OB", b"\0\1")
        + write(0x00020002, "UI", text_of(facts["SOPClassUID"]).encode())
        + write(0x00020003, "UI", text_of(facts["SOPInstanceUID"]).encode())
        + write(0x00020010, "UI", EXPLICIT.encode())
        + write(0x00020012, "UI", b"2.25.281474976710655")
    )
    return b"\0" * 128 + b"DICM" + write(0x00020000, "UL", struct.pack("<I", len(meta))) + meta


def _identifier() -> str:
    return f"2.25.{uuid.uuid4().int}"


@builtin(
    "dicomuid",
    category=_FAMILY,
    signatures=("uid = dicomuid",),
    cases=("startsWith(dicomuid, '2.25.') && ~strcmp(dicomuid, dicomuid)",),
    see=("dicomwrite",),
)
def dicomuid() -> str:
    """A new unique identifier."""
    return _identifier()


@builtin(
    "dicomlookup",
    category=_FAMILY,
    signatures=("name = dicomlookup(group, element)", "[group, element] = dicomlookup(name)"),
    cases=(
        "strcmp(dicomlookup('7FE0', '0010'), 'PixelData') && strcmp(dicomlookup(40, 16), 'Rows')",
        "[g, e] = dicomlookup('PatientName'); isequal([g e], [16 16])",
    ),
    see=("dicominfo",),
)
def dicomlookup(first: Value, second: Value | None = None) -> Value:
    """The name of a data element of a group and element (numbers, or texts of hexadecimal digits),
    or the numbers of a name."""
    if second is None:
        tag = dicom_elements.tags().get(text_of(first))
        if tag is None:
            text = f"'{text_of(first)}' is not a DICOM keyword."
            raise MatlabError("images:dicomlookup:unknownName", text)
        return float(tag >> 16), float(tag & 0xFFFF)
    group, element = (
        _hexadecimal(text_of(v)) if is_text_scalar(v) else int(as_array(v).flat[0])
        for v in (first, second)
    )
    known = dicom_elements.dictionary().get(group << 16 | element)
    return known[1] if known else ""


def _hexadecimal(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        told = f"'{text}' is not a hexadecimal number."
        raise MatlabError("images:dicomlookup:invalidTag", told) from None
