"""Helpers in LLVM assembly between texts and numbers: decimals that both hold exactly."""

from __future__ import annotations

import struct

MOST_DECIMALS = 22
"""Powers of ten up to this one are doubles."""
MOST_DIGITS = 20
"""Characters of a whole number of 64 bits with its sign."""


def _powers() -> str:
    bits = (struct.unpack(">Q", struct.pack(">d", 10.0**k))[0] for k in range(MOST_DECIMALS + 1))
    return ", ".join(f"double 0x{b:016X}" for b in bits)


NUMBER = f"""
@fuselab_powers = internal constant [{MOST_DECIMALS + 1} x double] [{_powers()}]
define internal double @fuselab_number(ptr %p, i64 %n, ptr %fine) #0 {{
entry:
  store i1 false, ptr %fine
  br label %left
left:
  %a = phi i64 [ 0, %entry ], [ %a1, %left1 ]
  %amore = icmp slt i64 %a, %n
  br i1 %amore, label %left0, label %bad
left0:
  %ap = getelementptr i32, ptr %p, i64 %a
  %ac = load i32, ptr %ap
  %ablank = icmp eq i32 %ac, 32
  br i1 %ablank, label %left1, label %right
left1:
  %a1 = add i64 %a, 1
  br label %left
right:
  %e = phi i64 [ %n, %left0 ], [ %e1, %right1 ]
  %e1 = add i64 %e, -1
  %ep = getelementptr i32, ptr %p, i64 %e1
  %ec = load i32, ptr %ep
  %eblank = icmp eq i32 %ec, 32
  br i1 %eblank, label %right1, label %sign
right1:
  br label %right
sign:
  %negative = icmp eq i32 %ac, 45
  %positive = icmp eq i32 %ac, 43
  %signed = or i1 %negative, %positive
  %skip = zext i1 %signed to i64
  %first = add i64 %a, %skip
  br label %digits
digits:
  %i = phi i64 [ %first, %sign ], [ %i1, %digit1 ], [ %i1p, %point1 ]
  %m = phi i64 [ 0, %sign ], [ %m1, %digit1 ], [ %m, %point1 ]
  %some = phi i64 [ 0, %sign ], [ 1, %digit1 ], [ %some, %point1 ]
  %point = phi i64 [ 0, %sign ], [ %point, %digit1 ], [ 1, %point1 ]
  %after = phi i64 [ 0, %sign ], [ %after1, %digit1 ], [ %after, %point1 ]
  %more = icmp slt i64 %i, %e
  br i1 %more, label %look, label %done
look:
  %cp = getelementptr i32, ptr %p, i64 %i
  %c = load i32, ptr %cp
  %d = sub i32 %c, 48
  %isdigit = icmp ult i32 %d, 10
  br i1 %isdigit, label %digit, label %other
digit:
  %fits = icmp ult i64 %m, 900719925474098
  br i1 %fits, label %digit1, label %bad
digit1:
  %m10 = mul i64 %m, 10
  %dw = zext i32 %d to i64
  %m1 = add i64 %m10, %dw
  %after1 = add i64 %after, %point
  %i1 = add i64 %i, 1
  br label %digits
other:
  %ispoint = icmp eq i32 %c, 46
  %nopoint = icmp eq i64 %point, 0
  %begins = and i1 %ispoint, %nopoint
  br i1 %begins, label %point1, label %bad
point1:
  %i1p = add i64 %i, 1
  br label %digits
done:
  %has = icmp ne i64 %some, 0
  %few = icmp ule i64 %after, {MOST_DECIMALS}
  %good = and i1 %has, %few
  br i1 %good, label %make, label %bad
make:
  %x = sitofp i64 %m to double
  %tp = getelementptr double, ptr @fuselab_powers, i64 %after
  %t = load double, ptr %tp
  %q = fdiv double %x, %t
  %nq = fneg double %q
  %made = select i1 %negative, double %nq, double %q
  store i1 true, ptr %fine
  ret double %made
bad:
  ret double 0.0
}}
"""
"""The number that characters say: digits of less than 2^53, divided by an exact power of ten."""

DIGITS = f"""
define internal i64 @fuselab_digits(i64 %x, ptr %p) #0 {{
entry:
  %held = alloca [{MOST_DIGITS} x i32]
  %negative = icmp slt i64 %x, 0
  %minus = sub i64 0, %x
  %size = select i1 %negative, i64 %minus, i64 %x
  br label %take
take:
  %k = phi i64 [ 0, %entry ], [ %k1, %take ]
  %r = phi i64 [ %size, %entry ], [ %q, %take ]
  %q = udiv i64 %r, 10
  %low = urem i64 %r, 10
  %lowc = trunc i64 %low to i32
  %c = add i32 %lowc, 48
  %hp = getelementptr i32, ptr %held, i64 %k
  store i32 %c, ptr %hp
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %q, 0
  br i1 %more, label %take, label %sign
sign:
  store i32 45, ptr %p
  %skip = zext i1 %negative to i64
  %n = add i64 %k1, %skip
  br label %put
put:
  %j = phi i64 [ 0, %sign ], [ %j1, %put ]
  %left = sub i64 %k, %j
  %fp = getelementptr i32, ptr %held, i64 %left
  %fc = load i32, ptr %fp
  %to = add i64 %j, %skip
  %tp = getelementptr i32, ptr %p, i64 %to
  store i32 %fc, ptr %tp
  %j1 = add i64 %j, 1
  %rest = icmp slt i64 %j1, %k1
  br i1 %rest, label %put, label %out
out:
  ret i64 %n
}}
"""
"""The digits of a whole number, with a sign before those of a negative one."""
