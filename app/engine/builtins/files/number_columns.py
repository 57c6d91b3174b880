"""Columns of delimited text as numbers, in machine code without the interpreter lock.

A decimal is read as its digits (at most 19, exact in 64 bits) and a power of ten. Up to 2**53 and
10**22 both are doubles, and one product or quotient is correctly rounded. Others are multiplied by
128 bits of the power; where what is left out could change the rounding, and where a field is
anything else than a plain decimal, the field is listed for Python to read.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np

from app import native
from app.native import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Words = NDArray[np.uint64]

LEAST, MOST = -290, 288
"""Powers of ten with which 64 bits of digits give a double of full precision."""
_LISTED = 4096
"""Fields that are listed before reading stops for Python to read them."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What was read of a text.

    Attributes:
        values: rows × wanted columns of numbers.
        spans: rows × (begin, end) of wanted columns of text, in bytes of the text.
        listed: (row, column among the values, begin, end) of fields that Python must read.
        length: bytes that were read.
    """

    values: NDArray[np.float64]
    spans: NDArray[np.int64]
    listed: NDArray[np.int64]
    length: int


def read_columns(
    text: bytes | memoryview, delimiter: str, kinds: Sequence[str], most_rows: int
) -> Columns | None:
    """The next rows of a text whose lines end with a line feed.

    ``kinds`` says of every field of a row whether it is a ``number``, a ``text`` or to be left out
    (``''``). Lines of white space are skipped. None where a row has another number of fields or
    none that is filled. Quotes belong to their fields, in which they hide delimiters.
    """
    numbers, texts = (sum(k == kind for k in kinds) for kind in ("number", "text"))
    place = {"number": 0, "text": 0}
    codes = np.zeros((len(kinds), 2), np.int64)
    for k, kind in enumerate(kinds):
        if kind:
            codes[k] = 1 + (kind == "text"), place[kind]
            place[kind] += 1
    values = np.empty((most_rows, numbers), order="F")
    spans = np.empty((most_rows, 2 * texts), np.int64)
    listed = np.empty((_LISTED + len(kinds), 4), np.int64)
    data = np.frombuffer(text, np.uint8)
    result = np.zeros(3, np.int64)
    ok = _reader()(
        address_of(data),
        data.size,
        most_rows,
        address_of(codes),
        len(kinds),
        ord(delimiter),
        address_of(values),
        address_of(spans),
        2 * texts,
        address_of(listed),
        _LISTED,
        *map(address_of, _powers()),
        address_of(result),
    )
    if not ok:
        return None
    rows, length, count = result.tolist()
    return Columns(values[:rows], spans[:rows], listed[:count], length)


@cache
def _powers() -> tuple[Doubles, Words, Words]:
    """Powers of ten to 22 as doubles, and 128 bits of those of five from LEAST to MOST."""
    words = []
    for q in range(LEAST, MOST + 1):
        if q >= 0:
            power, excess = 5**q, (5**q).bit_length() - 128
            words.append(power >> excess if excess > 0 else power << -excess)
        else:
            divisor = 5**-q
            words.append((1 << (127 + divisor.bit_length())) // divisor)
    tens = np.array([10.0**k for k in range(23)])
    high, low = ([(w >> s) & (2**64 - 1) for w in words] for s in (64, 0))
    return tens, np.array(high, np.uint64), np.array(low, np.uint64)


@cache
def _reader() -> Callable[..., int]:
    text = _TEXT.replace("LEAST", str(LEAST)).replace("SPAN", str(MOST - LEAST))
    text = text.replace("WHOLE_DIGITS", _digit_loop("whole", "point", 0))
    text = text.replace("PART_DIGITS", _digit_loop("part", "exponent", -1))
    made = native.compile_assembly(text, "read_columns", level=native.QUICK)
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    kinds = [pointer, number, number, pointer, number, number, pointer, pointer, number, pointer]
    reader = made.function("read_columns", number, *kinds, number, *[pointer] * 4)
    return cast("Callable[..., int]", reader)


def _digit_loop(name: str, then: str, step: int) -> str:
    """The blocks that take digits into %w, where each moves the power of ten %q by a step.

    They begin as ``NAME_digits`` and go on to ``then``, with what ended them as ``%NAME_letter``.
    """
    return _DIGITS.replace("NAME", name).replace("THEN", then).replace("STEP", str(step))


_DIGITS = """NAME_digits:
  %NAME_at = load i64, ptr %p
  %NAME_place = getelementptr i8, ptr %text, i64 %NAME_at
  %NAME_letter = load i8, ptr %NAME_place
  %NAME_value = sub i8 %NAME_letter, 48
  %NAME_is = icmp ult i8 %NAME_value, 10
  br i1 %NAME_is, label %NAME_digit, label %THEN
NAME_digit:
  %NAME_wide = zext i8 %NAME_value to i64
  %NAME_w = load i64, ptr %w
  %NAME_tens = mul i64 %NAME_w, 10
  %NAME_more = add i64 %NAME_tens, %NAME_wide
  store i64 %NAME_more, ptr %w
  %NAME_begun = icmp ne i64 %NAME_more, 0
  %NAME_counts = zext i1 %NAME_begun to i64
  %NAME_count = load i64, ptr %digits
  %NAME_digits_now = add i64 %NAME_count, %NAME_counts
  store i64 %NAME_digits_now, ptr %digits
  store i64 1, ptr %seen
  %NAME_q = load i64, ptr %q
  %NAME_q_now = add i64 %NAME_q, STEP
  store i64 %NAME_q_now, ptr %q
  %NAME_next = add i64 %NAME_at, 1
  store i64 %NAME_next, ptr %p
  br label %NAME_digits
"""

_TEXT = """
declare i64 @llvm.ctlz.i64(i64, i1)

; The double nearest to w * 10**q for 0 < w, and whether it is certain.
define internal { double, i1 } @scaled(i64 %w, i64 %q, ptr %tens, ptr %high, ptr %low) {
entry:
  %small = icmp ule i64 %w, 9007199254740992
  %aq0 = sub i64 0, %q
  %neg = icmp slt i64 %q, 0
  %aq = select i1 %neg, i64 %aq0, i64 %q
  %near = icmp ule i64 %aq, 22
  %both = and i1 %small, %near
  br i1 %both, label %exact, label %wide
exact:
  %d = uitofp i64 %w to double
  %pt = getelementptr double, ptr %tens, i64 %aq
  %t = load double, ptr %pt
  %over = fdiv double %d, %t
  %times = fmul double %d, %t
  %e = select i1 %neg, double %over, double %times
  %re0 = insertvalue { double, i1 } undef, double %e, 0
  %re1 = insertvalue { double, i1 } %re0, i1 true, 1
  ret { double, i1 } %re1
wide:
  %k = sub i64 %q, LEAST
  %inside = icmp ule i64 %k, SPAN
  br i1 %inside, label %product, label %unsure
product:
  %lz = call i64 @llvm.ctlz.i64(i64 %w, i1 true)
  %wn = shl i64 %w, %lz
  %ph = getelementptr i64, ptr %high, i64 %k
  %pl = getelementptr i64, ptr %low, i64 %k
  %h = load i64, ptr %ph
  %l = load i64, ptr %pl
  %hw = zext i64 %h to i192
  %lw = zext i64 %l to i192
  %hs = shl i192 %hw, 64
  %table = or i192 %hs, %lw
  %ww = zext i64 %wn to i192
  %p0 = mul i192 %table, %ww
  %top = lshr i192 %p0, 191
  %is_top = trunc i192 %top to i1
  %p1 = shl i192 %p0, 1
  %p = select i1 %is_top, i192 %p0, i192 %p1
  ; the error of a power that is cut off is below 2**64, below 2**65 where the product was shifted
  %exact0 = icmp sge i64 %q, 0
  %exact1 = icmp sle i64 %q, 55
  %whole = and i1 %exact0, %exact1
  %error0 = select i1 %is_top, i192 18446744073709551616, i192 36893488147419103232
  %error = select i1 %whole, i192 0, i192 %error0
  %m0 = lshr i192 %p, 139
  %m = trunc i192 %m0 to i64
  %kept = shl i192 %m0, 139
  %rest = sub i192 %p, %kept
  %half = shl i192 1, 138
  %upper = add i192 %rest, %error
  %below = icmp ult i192 %upper, %half
  %above0 = icmp ugt i192 %rest, %half
  %is_half = icmp eq i192 %rest, %half
  %above1 = xor i1 %whole, true
  %above2 = and i1 %is_half, %above1
  %above = or i1 %above0, %above2
  %tie = and i1 %is_half, %whole
  %odd = trunc i64 %m to i1
  %tie_up = and i1 %tie, %odd
  %up = or i1 %above, %tie_up
  %sure0 = or i1 %below, %above
  %sure = or i1 %sure0, %tie
  %up64 = zext i1 %up to i64
  %mr = add i64 %m, %up64
  ; the binary exponent of the leading bit; that of 10**q is floor(q*log2(10))
  %q1 = mul i64 %q, 217706
  %q2 = ashr i64 %q1, 16
  %lead0 = sub i64 63, %lz
  %lead1 = add i64 %lead0, %q2
  %carry = zext i1 %is_top to i64
  %lead = add i64 %lead1, %carry
  %biased = add i64 %lead, 1022
  %shifted = shl i64 %biased, 52
  %bits = add i64 %shifted, %mr
  %number = bitcast i64 %bits to double
  %rp0 = insertvalue { double, i1 } undef, double %number, 0
  %rp1 = insertvalue { double, i1 } %rp0, i1 %sure, 1
  ret { double, i1 } %rp1
unsure:
  ret { double, i1 } zeroinitializer
}

define i64 @read_columns(ptr %text, i64 %length, i64 %most, ptr %codes, i64 %columns, i64 %mark,
                         ptr %values, ptr %spans, i64 %pitch, ptr %listed, i64 %most_listed,
                         ptr %tens, ptr %high, ptr %low, ptr %result) {
entry:
  %delimiter = trunc i64 %mark to i8
  %last = sub i64 %columns, 1
  %row = alloca i64
  %count = alloca i64
  %p = alloca i64
  %c = alloca i64
  %line = alloca i64
  %filled = alloca i1
  %quoted = alloca i1
  %start = alloca i64
  %w = alloca i64
  %digits = alloca i64
  %seen = alloca i64
  %q = alloca i64
  %x = alloca i64
  %minus = alloca i1
  %xminus = alloca i1
  store i64 0, ptr %row
  store i64 0, ptr %count
  store i64 0, ptr %p
  br label %rows

rows:
  %r0 = load i64, ptr %row
  %p0 = load i64, ptr %p
  store i64 %p0, ptr %line
  %n0 = load i64, ptr %count
  %more_rows = icmp slt i64 %r0, %most
  %more_text = icmp slt i64 %p0, %length
  %more_list = icmp slt i64 %n0, %most_listed
  %go0 = and i1 %more_rows, %more_text
  %go = and i1 %go0, %more_list
  store i64 0, ptr %c
  store i1 false, ptr %filled
  br i1 %go, label %field, label %done

field:
  %fp = load i64, ptr %p
  store i64 %fp, ptr %start
  store i1 false, ptr %quoted
  %fc = load i64, ptr %c
  %code_at = mul i64 %fc, 2
  %code_ptr = getelementptr i64, ptr %codes, i64 %code_at
  %code = load i64, ptr %code_ptr
  %place_ptr = getelementptr i64, ptr %code_ptr, i64 1
  %place = load i64, ptr %place_ptr
  %is_number = icmp eq i64 %code, 1
  br i1 %is_number, label %blanks, label %scan

; --- a number ---
blanks:
  %b1 = load i64, ptr %p
  %b2 = getelementptr i8, ptr %text, i64 %b1
  %b3 = load i8, ptr %b2
  %b4 = icmp eq i8 %b3, 32
  br i1 %b4, label %blank, label %sign
blank:
  %b5 = add i64 %b1, 1
  store i64 %b5, ptr %p
  br label %blanks
sign:
  %s_minus = icmp eq i8 %b3, 45
  %s_plus = icmp eq i8 %b3, 43
  %s_any = or i1 %s_minus, %s_plus
  store i1 %s_minus, ptr %minus
  %s_step = zext i1 %s_any to i64
  %s_next = add i64 %b1, %s_step
  store i64 %s_next, ptr %p
  store i64 0, ptr %w
  store i64 0, ptr %digits
  store i64 0, ptr %seen
  store i64 0, ptr %q
  br label %whole_digits
WHOLE_DIGITSpoint:
  %is_point = icmp eq i8 %whole_letter, 46
  br i1 %is_point, label %after_point, label %exponent
after_point:
  %f0 = add i64 %whole_at, 1
  store i64 %f0, ptr %p
  br label %part_digits
PART_DIGITSexponent:
  %e1 = load i64, ptr %p
  %e2 = getelementptr i8, ptr %text, i64 %e1
  %e3 = load i8, ptr %e2
  %e4 = or i8 %e3, 32
  %e5 = icmp eq i8 %e4, 101
  br i1 %e5, label %exponent_sign, label %blanks_after
exponent_sign:
  %e6 = add i64 %e1, 1
  %e7 = getelementptr i8, ptr %text, i64 %e6
  %e8 = load i8, ptr %e7
  %e_minus = icmp eq i8 %e8, 45
  %e_plus = icmp eq i8 %e8, 43
  %e_any = or i1 %e_minus, %e_plus
  store i1 %e_minus, ptr %xminus
  %e9 = zext i1 %e_any to i64
  %e10 = add i64 %e6, %e9
  store i64 %e10, ptr %p
  store i64 0, ptr %x
  %e11 = getelementptr i8, ptr %text, i64 %e10
  %e12 = load i8, ptr %e11
  %e13 = sub i8 %e12, 48
  %e14 = icmp ult i8 %e13, 10
  br i1 %e14, label %exponent_digits, label %list
exponent_digits:
  %x1 = load i64, ptr %p
  %x2 = getelementptr i8, ptr %text, i64 %x1
  %x3 = load i8, ptr %x2
  %x4 = sub i8 %x3, 48
  %x5 = icmp ult i8 %x4, 10
  br i1 %x5, label %exponent_digit, label %exponent_end
exponent_digit:
  %x6 = zext i8 %x4 to i64
  %x7 = load i64, ptr %x
  %x8 = icmp slt i64 %x7, 100000
  %x9 = mul i64 %x7, 10
  %x10 = add i64 %x9, %x6
  %x11 = select i1 %x8, i64 %x10, i64 %x7
  store i64 %x11, ptr %x
  %x12 = add i64 %x1, 1
  store i64 %x12, ptr %p
  br label %exponent_digits
exponent_end:
  %x13 = load i64, ptr %x
  %x14 = sub i64 0, %x13
  %x15 = load i1, ptr %xminus
  %x16 = select i1 %x15, i64 %x14, i64 %x13
  %x17 = load i64, ptr %q
  %x18 = add i64 %x17, %x16
  store i64 %x18, ptr %q
  br label %blanks_after
blanks_after:
  %a1 = load i64, ptr %p
  %a2 = getelementptr i8, ptr %text, i64 %a1
  %a3 = load i8, ptr %a2
  %a4 = icmp eq i8 %a3, 32
  br i1 %a4, label %blank_after, label %ended
blank_after:
  %a5 = add i64 %a1, 1
  store i64 %a5, ptr %p
  br label %blanks_after
ended:
  %n1 = icmp eq i8 %a3, %delimiter
  %n2 = icmp eq i8 %a3, 10
  %n3 = icmp eq i8 %a3, 13
  %n4 = or i1 %n1, %n2
  %n5 = or i1 %n4, %n3
  %seen1 = load i64, ptr %seen
  %has = icmp ne i64 %seen1, 0
  br i1 %n5, label %proper, label %list
proper:
  br i1 %has, label %decimal, label %no_digits
no_digits:
  ; nothing but blanks: NaN; a sign or a point alone is for Python
  %nd = icmp eq i64 %b1, %a1
  br i1 %nd, label %empty, label %list
empty:
  %sn_at = call ptr @value_place(ptr %values, i64 %place, i64 %most, i64 %r0)
  store double 0x7FF8000000000000, ptr %sn_at
  br label %after_field
decimal:
  %d1 = load i64, ptr %digits
  %d2 = icmp sle i64 %d1, 19
  br i1 %d2, label %short_enough, label %list
short_enough:
  %d3 = load i64, ptr %w
  %d4 = icmp eq i64 %d3, 0
  br i1 %d4, label %zero, label %scale
zero:
  br label %store_number
scale:
  %d5 = load i64, ptr %q
  %d6 = call { double, i1 } @scaled(i64 %d3, i64 %d5, ptr %tens, ptr %high, ptr %low)
  %d7 = extractvalue { double, i1 } %d6, 0
  %d8 = extractvalue { double, i1 } %d6, 1
  br i1 %d8, label %store_number, label %list
store_number:
  %v0 = phi double [ 0.0, %zero ], [ %d7, %scale ]
  %v1 = fneg double %v0
  %v2 = load i1, ptr %minus
  %v3 = select i1 %v2, double %v1, double %v0
  %v_at = call ptr @value_place(ptr %values, i64 %place, i64 %most, i64 %r0)
  store double %v3, ptr %v_at
  store i1 true, ptr %filled
  br label %after_field

list:
  ; the field as a whole, for Python
  store i64 %b1, ptr %p
  store i64 %b1, ptr %start
  br label %scan
list_end:
  %l0 = load i64, ptr %start
  %l1 = load i64, ptr %p
  %l8 = load i64, ptr %count
  %l9 = mul i64 %l8, 4
  %l10 = getelementptr i64, ptr %listed, i64 %l9
  %l11 = getelementptr i64, ptr %l10, i64 1
  %l12 = getelementptr i64, ptr %l10, i64 2
  %l13 = getelementptr i64, ptr %l10, i64 3
  store i64 %r0, ptr %l10
  store i64 %place, ptr %l11
  store i64 %l0, ptr %l12
  store i64 %l1, ptr %l13
  %l14 = add i64 %l8, 1
  store i64 %l14, ptr %count
  store i1 true, ptr %filled
  br label %after_field

; --- to the end of a field: a delimiter outside of quotes ---
scan:
  %t1 = load i64, ptr %p
  %t2 = getelementptr i8, ptr %text, i64 %t1
  %t3 = load i8, ptr %t2
  %t4 = icmp eq i8 %t3, %delimiter
  %t5 = icmp eq i8 %t3, 10
  %t6 = or i1 %t4, %t5
  br i1 %t6, label %scan_end, label %scan_next
scan_end:
  %k1 = load i1, ptr %quoted
  br i1 %k1, label %within_quotes, label %scanned
within_quotes:
  br i1 %t5, label %refused, label %scan_next
scan_next:
  %k2 = icmp eq i8 %t3, 34
  %k3 = load i1, ptr %quoted
  %k4 = xor i1 %k2, %k3
  store i1 %k4, ptr %quoted
  %t7 = add i64 %t1, 1
  store i64 %t7, ptr %p
  %t8 = icmp ugt i8 %t3, 32
  %t9 = load i1, ptr %filled
  %t10 = or i1 %t8, %t9
  store i1 %t10, ptr %filled
  br label %scan
scanned:
  switch i64 %code, label %after_field [
    i64 1, label %list_end
    i64 2, label %store_span
  ]
store_span:
  %u0 = load i64, ptr %start
  %u1 = mul i64 %r0, %pitch
  %u2 = mul i64 %place, 2
  %u3 = add i64 %u1, %u2
  %u4 = getelementptr i64, ptr %spans, i64 %u3
  store i64 %u0, ptr %u4
  %u5 = getelementptr i64, ptr %u4, i64 1
  %u6 = sub i64 %t1, 1
  %u7 = icmp sgt i64 %t1, %u0
  %u8 = select i1 %u7, i64 %u6, i64 %t1
  %u9 = getelementptr i8, ptr %text, i64 %u8
  %u10 = load i8, ptr %u9
  %u11 = icmp eq i8 %u10, 13
  %u12 = and i1 %u11, %t5
  %u13 = and i1 %u12, %u7
  %u14 = select i1 %u13, i64 %u6, i64 %t1
  store i64 %u14, ptr %u5
  br label %after_field

after_field:
  %g1 = load i64, ptr %p
  %g2 = getelementptr i8, ptr %text, i64 %g1
  %g3 = load i8, ptr %g2
  %g4 = add i64 %g1, 1
  store i64 %g4, ptr %p
  %g5 = load i64, ptr %c
  %g6 = icmp eq i8 %g3, %delimiter
  br i1 %g6, label %next_field, label %end_of_line
next_field:
  %h1 = add i64 %g5, 1
  store i64 %h1, ptr %c
  %h2 = icmp sgt i64 %h1, %last
  br i1 %h2, label %refused, label %field
end_of_line:
  %z1 = icmp eq i8 %g3, 10
  br i1 %z1, label %line_feed, label %carriage_return
carriage_return:
  %z2 = getelementptr i8, ptr %text, i64 %g4
  %z3 = load i8, ptr %z2
  %z4 = add i64 %g4, 1
  store i64 %z4, ptr %p
  %z5 = icmp eq i8 %z3, 10
  br i1 %z5, label %line_feed, label %refused
line_feed:
  %z6 = load i1, ptr %filled
  br i1 %z6, label %filled_line, label %empty_line
filled_line:
  %z7 = icmp eq i64 %g5, %last
  br i1 %z7, label %next_row, label %refused
empty_line:
  %z8 = icmp eq i64 %g5, 0
  br i1 %z8, label %rows, label %refused
next_row:
  %z9 = add i64 %r0, 1
  store i64 %z9, ptr %row
  br label %rows

done:
  store i64 %r0, ptr %result
  %y1 = getelementptr i64, ptr %result, i64 1
  %y2 = load i64, ptr %line
  store i64 %y2, ptr %y1
  %y3 = getelementptr i64, ptr %result, i64 2
  store i64 %n0, ptr %y3
  ret i64 1
refused:
  ret i64 0
}

define internal ptr @value_place(ptr %values, i64 %place, i64 %rows, i64 %row) alwaysinline {
  %a = mul i64 %place, %rows
  %b = add i64 %a, %row
  %c = getelementptr double, ptr %values, i64 %b
  ret ptr %c
}
"""
