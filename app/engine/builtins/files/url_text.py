"""Text for addresses: urlencode, urldecode; webwrite."""

from __future__ import annotations

from urllib.parse import quote_plus, unquote_plus

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT, enough, takes
from app.engine.builtins.files.folders import guard
from app.engine.declarations.registry import builtin
from app.engine.values import Struct, Value, is_text_scalar, text_of
from app.errors import MatlabError
from app.textfile import encoded

_FAMILY = "web"
_FORM = "application/x-www-form-urlencoded"


@builtin(
    "urlencode",
    category=_FAMILY,
    signatures=("t = urlencode(text)",),
    cases=("strcmp(urlencode('a b&c'), 'a+b%26c')",),
    see=("urldecode", "webread"),
)
@takes(TEXT)
def urlencode(text: Value) -> Value:
    """A text with the characters that addresses reserve written as numbers."""
    return quote_plus(text_of(text), safe="*-._")


@builtin(
    "urldecode",
    category=_FAMILY,
    signatures=("t = urldecode(text)",),
    cases=("strcmp(urldecode('a+b%26c'), 'a b&c')",),
    see=("urlencode",),
)
@takes(TEXT)
def urldecode(text: Value) -> Value:
    """What ``urlencode`` was given."""
    return unquote_plus(text_of(text))


@builtin(
    "webwrite",
    category=_FAMILY,
    least=2,
    signatures=("r = webwrite(url, data)", "r = webwrite(url, name, value, ...)"),
    cases=(
        "t = ''; try, webwrite('nowhere://x', 'a'); catch e, t = e.identifier; end; ~isempty(t)",
    ),
    see=("webread", "urlencode"),
)
def webwrite(ctx: CallContext, url: Value, *data: Value) -> Value:
    """Send data to a server and give its answer: a struct as JSON, names and values as a form."""
    enough(data, 1)
    guard(ctx, "webwrite")
    if len(data) == 1:
        body = data[0] if is_text_scalar(data[0]) else ctx.call("jsonencode", (data[0],), 1)[0]
        kind = "application/json" if isinstance(data[0], Struct) else _FORM
        return _answer(ctx, text_of(url), text_of(body), kind)
    pairs = [
        f"{quote_plus(text_of(k))}={quote_plus(_query_text(ctx, v))}"
        for k, v in zip(data[::2], data[1::2], strict=True)
    ]
    return _answer(ctx, text_of(url), "&".join(pairs), _FORM)


def _query_text(ctx: CallContext, v: Value) -> str:
    return text_of(v) if is_text_scalar(v) else text_of(ctx.call("num2str", (v,), 1)[0])


def _answer(ctx: CallContext, url: str, body: str, kind: str) -> Value:
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    if not url.lower().startswith(("http://", "https://")):
        raise MatlabError(
            "MATLAB:webservices:UnsupportedProtocol", f"'{url}' is not a web address."
        )
    request = Request(url, encoded(body), {"Content-Type": kind})  # noqa: S310 - schemes were looked at above
    try:
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - schemes were looked at above
            text = answer.read().decode("utf-8", "replace")
            json = "json" in str(answer.headers.get("Content-Type", ""))
    except URLError as problem:
        text = f"The server could not be reached: {problem.reason}."
        raise MatlabError("MATLAB:webservices:ConnectionFailed", text) from problem
    return ctx.call("jsondecode", (text,), 1)[0] if json else text
