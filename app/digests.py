"""BLAKE2, and the comparison of digests, without OpenSSL: `hashlib` and `hmac` load it with them.

That is 4 ms of every start, and the answers are the same.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
    from _operator import _compare_digest as same_digest
except ImportError:  # not every Python keeps them there
    from hashlib import blake2b
    from hmac import compare_digest as same_digest  # type: ignore[no-redef]

__all__ = ["blake2b", "same_digest", "text_digest"]


def text_digest(text: str, size: int = 8) -> str:
    """A text as ``size`` bytes in hexadecimal digits, for the name of a file.

    It may have halves of characters, as the names of files have that are no UTF-8.
    """
    return blake2b(text.encode(errors="surrogatepass"), digest_size=size).hexdigest()
