"""Small ``.mlx`` files of the forms that MATLAB writes."""

from __future__ import annotations

import zipfile
from pathlib import Path

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def newer(inner: str, older: str = "") -> str:
    """What newer releases read, beside what older ones do."""
    return (
        f'<mc:AlternateContent xmlns:mc="{_MC}"><mc:Choice Requires="R2018b">{inner}</mc:Choice>'
        f"<mc:Fallback>{older}</mc:Fallback></mc:AlternateContent>"
    )


def paragraph(style: str, inner: str) -> str:
    """A paragraph in a style."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{inner}</w:p>'


def run(text: str, marks: str = "") -> str:
    """A run of text with marks such as ``<w:b/>``."""
    return f"<w:r><w:rPr>{marks}</w:rPr><w:t>{text}</w:t></w:r>"


def custom(element: str, inner: str = "", **attributes: str) -> str:
    """An equation, a picture or a control."""
    given = "".join(f'<w:attr w:name="{k}" w:val="{v}"/>' for k, v in attributes.items())
    return (
        f'<w:customXml w:element="{element}"><w:customXmlPr>{given}</w:customXmlPr>'
        f"{inner}</w:customXml>"
    )


def write(path: Path, body: str, outputs: str = "") -> None:
    """Write a file with this body and these stored outputs."""
    document = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("matlab/document.xml", document)
        array = f"<embeddedOutputs><outputArray>{outputs}</outputArray></embeddedOutputs>"
        archive.writestr("matlab/output.xml", array)
