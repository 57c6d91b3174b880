"""XML documents as trees of nodes with the methods that Java's have: xmlread, xmlwrite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.dom import Node, minidom
from xml.parsers.expat import ExpatError

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NONEMPTY, TEXT
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import EMPTY, NativeObject, Value, int_of, is_text_scalar, text_of
from app.errors import MatlabError
from app.textfile import encoded

_FAMILY = "files"


def _value(found: Any) -> Value:
    """What a method of the library gave, as a value."""
    if found is None:
        return EMPTY
    if isinstance(found, bool | str):
        return found
    return float(found) if isinstance(found, int) else XmlNode(found)


def _node_or_scalar(v: Value) -> Any:
    if isinstance(v, XmlNode):
        return v.node
    return text_of(v) if is_text_scalar(v) else int_of(v)


def _text_of(node: Any) -> str:
    if node.nodeType in (Node.TEXT_NODE, Node.CDATA_SECTION_NODE):
        return str(node.data)
    return "".join(map(_text_of, node.childNodes or ()))


def _set_text(node: Any, text: str) -> None:
    for child in list(node.childNodes):
        node.removeChild(child)
    node.appendChild(node.ownerDocument.createTextNode(text))


def _node_list(found: Any) -> list[Any]:
    if isinstance(found, minidom.NamedNodeMap):
        return [found.item(k) for k in range(found.length)]
    return list(found)


Method = Callable[..., Any]
_OF_NODES: dict[str, Method] = {
    "getNodeName": lambda n: n.nodeName,
    "getTagName": lambda n: n.nodeName,
    "getName": lambda n: n.nodeName,
    "getNodeValue": lambda n: n.nodeValue,
    "getValue": lambda n: n.nodeValue,
    "getData": lambda n: n.nodeValue,
    "getNodeType": lambda n: int(n.nodeType),
    "getTextContent": _text_of,
    "setTextContent": _set_text,
    "getChildNodes": lambda n: n.childNodes,
    "getFirstChild": lambda n: n.firstChild,
    "getLastChild": lambda n: n.lastChild,
    "getNextSibling": lambda n: n.nextSibling,
    "getPreviousSibling": lambda n: n.previousSibling,
    "getParentNode": lambda n: n.parentNode,
    "getOwnerDocument": lambda n: n.ownerDocument,
    "getDocumentElement": lambda n: n.documentElement,
    "getAttributes": lambda n: n.attributes,
    "hasAttributes": lambda n: bool(n.attributes and n.attributes.length),
    "hasChildNodes": lambda n: bool(n.childNodes),
    "getLength": lambda n: len(_node_list(n)),
    "item": lambda n, k: _node_list(n)[k] if 0 <= k < len(_node_list(n)) else None,
    "getNamedItem": lambda n, name: n.get(name),
    "removeAttribute": lambda n, name: n.removeAttribute(name) if n.hasAttribute(name) else None,
}
_SAME = (
    "getElementsByTagName",
    "getAttribute",
    "hasAttribute",
    "setAttribute",
    "createElement",
    "createTextNode",
    "createComment",
    "createAttribute",
    "createCDATASection",
    "appendChild",
    "removeChild",
    "insertBefore",
    "replaceChild",
    "normalize",
    "cloneNode",
    "getAttributeNode",
    "setAttributeNode",
)


@native_type
class XmlNode(NativeObject):
    """A document, element, text, attribute or list of nodes.

    Attributes:
        node: the library's.
    """

    class_name = "org.apache.xerces.dom.DeferredDocumentImpl"
    is_handle = True

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def shape(self) -> tuple[int, ...]:
        """One object."""
        return (1, 1)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``node.getNodeName`` and the other methods."""
        method = _OF_NODES.get(name)
        if method is None and name in _SAME and hasattr(self.node, name):
            method = lambda node, *given: getattr(node, name)(*given)  # noqa: E731 - a def would declare it twice
        if method is None:
            text = f"No appropriate method, property, or field '{name}' for a node of XML."
            raise MatlabError("MATLAB:noSuchMethodOrField", text)
        try:
            return _value(method(self.node, *map(_node_or_scalar, args or ())))
        except (AttributeError, TypeError) as problem:
            text = f"'{name}' does not apply to this node: {problem}."
            raise MatlabError("MATLAB:Java:GenericException", text) from problem

    def methods(self) -> dict[str, Callable[..., Value]]:
        """The methods in the form ``name(node, ...)``."""
        return {n: _method_call(n) for n in (*_OF_NODES, *_SAME)}


def _method_call(name: str) -> Callable[..., Value]:
    return lambda ctx, args, nargout: args[0].get_member(ctx, name, args[1:], nargout)


@builtin(
    "xmlread",
    category=_FAMILY,
    signatures=("document = xmlread(file)",),
    see=("xmlwrite",),
    cases=(
        "writelines('<a><b n=\"1\">t</b></a>', 'x.xml'); d = xmlread('x.xml'); "
        "b = d.getElementsByTagName('b').item(0); strcmp(b.getTextContent, 't')",
        "writelines('<a><b n=\"1\">t</b></a>', 'x.xml'); d = xmlread('x.xml'); "
        'd.getElementsByTagName("b").item(0).getAttribute("n") == "1"',
    ),
)
def xmlread(name: Value) -> Value:
    """Read an XML file; the nodes have methods such as getElementsByTagName and item (from 0)."""
    path = Path(text_of(name)).expanduser()
    if not path.is_file():
        raise MatlabError("MATLAB:xmlread:FileNotFound", f"The XML file '{path}' was not found.")
    try:
        return XmlNode(minidom.parse(str(path)))  # noqa: S318 - expat follows no outside entities
    except ExpatError as problem:
        text = f"The file '{path}' is no valid XML: {problem}."
        raise MatlabError("MATLAB:xmlread:ParseError", text) from problem


@builtin(
    "xmlwrite",
    category=_FAMILY,
    signatures=("xmlwrite(file, document)", "text = xmlwrite(document)"),
    see=("xmlread",),
    cases=(
        "d = com.mathworks.xml.XMLUtils.createDocument('a'); xmlwrite('x.xml', d); "
        "strcmp(xmlread('x.xml').getDocumentElement.getTagName, 'a')",
    ),
)
def xmlwrite(target: Value, document: Value | None = None) -> Value:
    """Write a document of XML into a file, or give its text."""
    node = target if document is None else document
    if not isinstance(node, XmlNode):
        text = "The document must be one that xmlread or com.mathworks.xml.XMLUtils made."
        raise MatlabError("MATLAB:xmlwrite:InvalidDocument", text)
    written: str = node.node.toxml()
    if document is None:
        return written
    paths.put_whole(Path(text_of(target)).expanduser(), encoded(written))
    return ()


@builtin(
    "com.mathworks.xml.XMLUtils.createDocument",
    category=_FAMILY,
    signatures=("document = com.mathworks.xml.XMLUtils.createDocument(name)",),
    cases=(
        "d = com.mathworks.xml.XMLUtils.createDocument('root'); "
        "strcmp(d.getDocumentElement.getNodeName, 'root')",
    ),
    see=("xmlwrite", "xmlread"),
)
def create_document(name: Value) -> Value:
    """An XML document with an empty root element, to be filled and written."""
    (TEXT & NONEMPTY)("createDocument", 1, name)
    found = minidom.getDOMImplementation()
    assert found is not None  # the library has one
    return XmlNode(found.createDocument(None, text_of(name), None))
