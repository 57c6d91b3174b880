"""Reading from the web: webread, websave, urlread, urlwrite; base 64."""

from __future__ import annotations

import base64
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs
from app.engine.builtins.files.folders import guard
from app.engine.declarations.registry import builtin
from app.engine.values import Struct, Value, as_array, float_of, is_char, is_string, text_of
from app.errors import MatlabError

_FAMILY = "web"
_SECONDS = 30.0


def _word(v: Value) -> str:
    """A value of a query as text."""
    return text_of(v) if is_char(v) or is_string(v) else f"{float_of(v):g}"


def _fetch(
    ctx: CallContext, url: Value, function: str, args: tuple[Value, ...] = ()
) -> tuple[bytes, str]:
    """The bytes at an address and their content type; ``args`` are its query and the options."""
    guard(ctx, function)
    address = text_of(url)
    if not address.startswith(("http://", "https://", "file://")):
        text = f"'{address}' is not a web address."
        raise MatlabError("MATLAB:webservices:InvalidUrl", text)
    options = args[-1].fields if args and isinstance(args[-1], Struct) else {}
    query = option_pairs(function, args[: len(args) - bool(options)])
    if query:
        address += "&" if "?" in address else "?"
        address += urllib.parse.urlencode({name: _word(v) for name, v in query.items()})
    headers = {"User-Agent": text_of(options.get("UserAgent", "Fuselab"))}
    seconds = float_of(options.get("Timeout", _SECONDS))
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - schemes were looked at above
    try:
        with urllib.request.urlopen(request, timeout=seconds) as reply:  # noqa: S310 - schemes were looked at above
            return reply.read(), reply.headers.get_content_type()
    except (urllib.error.URLError, TimeoutError, OSError) as problem:
        text = f"Could not access {address}: {problem}."
        raise MatlabError("MATLAB:webservices:ConnectionRefused", text) from problem


@builtin(
    "urlread",
    category=_FAMILY,
    signatures=("[text, ok] = urlread(url)",),
    cases=(
        "writelines(\"hi\", 'a.txt'); strcmp(strtrim(urlread(['file://' pwd '/a.txt'])), 'hi')",
    ),
    see=("webread",),
)
def urlread(ctx: CallContext, url: Value, *options: Value, nargout: int = 1) -> Value:
    """The text at a web address; with a second output no error is raised."""
    try:
        return _fetch(ctx, url, "urlread")[0].decode("utf-8", "replace"), True
    except MatlabError:
        if nargout < 2:
            raise
        return "", False


@builtin(
    "urlwrite",
    category=_FAMILY,
    signatures=("[file, ok] = urlwrite(url, file)",),
    cases=(
        "writelines(\"hi\", 'a.txt'); urlwrite(['file://' pwd '/a.txt'], 'b.txt'); isfile('b.txt')",
    ),
    see=("websave",),
)
def urlwrite(ctx: CallContext, url: Value, name: Value, *options: Value, nargout: int = 1) -> Value:
    """Save what is at a web address into a file."""
    path = Path(text_of(name)).expanduser()
    try:
        paths.put_whole(path, _fetch(ctx, url, "urlwrite")[0])
    except MatlabError:
        if nargout < 2:
            raise
        return "", False
    return str(path.resolve()), True


@builtin(
    "websave",
    category=_FAMILY,
    signatures=(
        "file = websave(file, url)",
        "file = websave(file, url, name, value, ..., options)",
    ),
    cases=(
        "writelines(\"hi\", 'a.txt'); websave('b.txt', ['file://' pwd '/a.txt']); isfile('b.txt')",
    ),
    see=("webread",),
)
def websave(ctx: CallContext, name: Value, url: Value, *options: Value) -> Value:
    """Save what is at a web address into a file."""
    path = Path(text_of(name)).expanduser()
    paths.put_whole(path, _fetch(ctx, url, "websave", options)[0])
    return str(path.resolve())


@builtin(
    "webread",
    category=_FAMILY,
    signatures=("data = webread(url)", "data = webread(url, name, value, ..., options)"),
    cases=("writelines(\"hi\", 'a.txt'); contains(webread(['file://' pwd '/a.txt']), 'hi')",),
    see=("websave", "jsondecode"),
)
def webread(ctx: CallContext, url: Value, *options: Value) -> Value:
    """What is at a web address: JSON as values, anything else as text."""
    data, kind = _fetch(ctx, url, "webread", options)
    text = data.decode("utf-8", "replace")
    return ctx.call("jsondecode", (text,), 1)[0] if kind.endswith("json") else text


def _raw(v: Value) -> bytes:
    if is_char(v) or is_string(v):
        return text_of(v).encode(errors="surrogatepass")
    return as_array(v).ravel(order="F").astype(np.uint8).tobytes()


@builtin(
    "matlab.net.base64encode",
    category=_FAMILY,
    signatures=("text = matlab.net.base64encode(data)",),
    cases=("strcmp(matlab.net.base64encode('abc'), 'YWJj')",),
)
def base64encode(data: Value) -> Value:
    """Bytes as text in base 64."""
    return base64.b64encode(_raw(data)).decode("ascii")


@builtin(
    "matlab.net.base64decode",
    category=_FAMILY,
    signatures=("data = matlab.net.base64decode(text)",),
    cases=("isequal(matlab.net.base64decode('YWJj'), uint8('abc'))",),
)
def base64decode(text: Value) -> Value:
    """The bytes of a text in base 64."""
    try:
        data = base64.b64decode(_raw(text), validate=True)
    except ValueError as problem:
        raise MatlabError("MATLAB:base64decode:InvalidInput", f"{problem}.") from problem
    return np.frombuffer(data, dtype=np.uint8).reshape(1, -1).copy()


@builtin(
    "weboptions",
    category=_FAMILY,
    signatures=("options = weboptions(name, value, ...)",),
    cases=("getfield(weboptions('Timeout', 5), 'Timeout') == 5",),
    see=("webread", "websave"),
)
def weboptions(*args: Value) -> Value:
    """Options for reading from the web, as a struct; Timeout and UserAgent are heeded."""
    known: dict[str, Value] = {
        "CharacterEncoding": "auto",
        "UserAgent": "Fuselab",
        "Timeout": _SECONDS,
        "Username": "",
        "Password": "",
        "KeyName": "",
        "KeyValue": "",
        "HeaderFields": "",
        "ContentType": "auto",
        "ContentReader": "",
        "MediaType": "auto",
        "RequestMethod": "auto",
        "ArrayFormat": "csv",
        "CertificateFilename": "default",
    }
    names = {name.lower(): name for name in known}
    for word, value in option_pairs("weboptions", args).items():
        if word not in names:
            text = f"'{word}' is not an option of weboptions."
            raise MatlabError("MATLAB:webservices:InvalidOption", text)
        known[names[word]] = value
    return Struct(known)
