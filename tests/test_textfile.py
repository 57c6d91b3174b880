from __future__ import annotations

import pytest

from app import textfile
from app.errors import UsageError


def test_utf8_is_read_without_remark() -> None:
    assert textfile.decode("x = 'é';\n".encode(), "a.m") == textfile.TextFile(
        "x = 'é';\n", "utf-8", "\n"
    )


def test_latin1_is_read_with_a_warning_that_names_the_line() -> None:
    found = textfile.decode(b"x = 1;\ny = '\xe9';\n", "a.m")
    assert found.text == "x = 1;\ny = 'é';\n"
    assert found.warning.startswith("a.m:2: ")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(UsageError, match="not a text file"):
        textfile.decode(b"\x7fELF\0\0", "a.m")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_understood(encoding: str) -> None:
    found = textfile.decode("a\r\nb".encode(encoding), "a.m")
    assert (found.text, found.encoding, found.newline) == ("a\nb", encoding, "\r\n")


CHINESE = "% 绘制全球的地壳厚度，读入数据\nx = ['经验累积'; '概率阈值'];\n"
JAPANESE = "% 車両のパラメータ、新しいウィンドウを開く\nx = ['最適な速度'];\n"


@pytest.mark.parametrize(
    ("text", "encoding", "spoken"),
    [
        (CHINESE, "gb18030", "Chinese"),
        (JAPANESE, "cp932", "Japanese"),
        ("% la función del perímetro, más años\n", "latin-1", "Latin-1"),
        ("% Größe, Straße, Fläche: Übermaß\n", "latin-1", "Latin-1"),
        ("% Peyré, modèle à l'été, français\n", "latin-1", "Latin-1"),
        ("x = 5; % °C\n", "latin-1", "Latin-1"),
        ("x = 'µm²';\n", "latin-1", "Latin-1"),
    ],
)
def test_older_encodings_are_told_apart(text: str, encoding: str, spoken: str) -> None:
    found = textfile.decode(text.encode(encoding), "a.m")
    assert (found.text, found.encoding) == (text, encoding)
    assert found.warning.startswith(f"a.m:1: not UTF-8; read as {spoken}")
