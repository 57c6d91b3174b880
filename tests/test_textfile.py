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
