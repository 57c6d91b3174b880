"""Helpers in LLVM assembly that compiled code calls; unused ones are dropped by the compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from app.engine.jit.text_helpers import DIGITS, NUMBER

ATTRIBUTES = """
attributes #0 = { nounwind "no-builtins" }
!0 = !{!"branch_weights", i32 2000, i32 1}
"""
"""No builtins: the compiler may not put another function for one of the C library's."""

ROOM = """
define internal i64 @fuselab_room(i64 %n) #0 {
  %half = lshr i64 %n, 1
  %more = add i64 %n, %half
  %room = add i64 %more, 32
  ret i64 %room
}
define internal ptr @fuselab_grow(ptr %p, i64 %ours, i64 %kept, i64 %n, i64 %size) #0 {
  %room = call i64 @fuselab_room(i64 %n)
  %bytes = mul i64 %room, %size
  %made = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %made, null
  br i1 %none, label %out, label %fill
fill:
  %used = mul i64 %kept, %size
  %copied = call ptr @memcpy(ptr %made, ptr %p, i64 %used)
  %mine = icmp ne i64 %ours, 0
  br i1 %mine, label %drop, label %out
drop:
  call void @free(ptr %p)
  br label %out
out:
  ret ptr %made
}
"""

SPREAD = """
define internal void @fuselab_spread(ptr %p, i64 %rows, i64 %columns, i64 %size) #0 {
entry:
  %width = mul i64 %rows, %size
  %wide = add i64 %width, %size
  br label %test
test:
  %k = phi i64 [ %columns, %entry ], [ %c, %move ]
  %c = add i64 %k, -1
  %more = icmp sgt i64 %c, 0
  br i1 %more, label %move, label %done
move:
  %from = mul i64 %c, %width
  %to = mul i64 %c, %wide
  %a = getelementptr i8, ptr %p, i64 %from
  %b = getelementptr i8, ptr %p, i64 %to
  call ptr @memmove(ptr %b, ptr %a, i64 %width)
  br label %test
done:
  ret void
}
"""
"""The columns of a matrix move apart for another row."""

COUNT = """
define internal i64 @fuselab_count(double %a, double %s, double %b, i1 %up) #0 {
  %fa = call double @llvm.fabs.f64(double %a)
  %fb = call double @llvm.fabs.f64(double %b)
  %fs = call double @llvm.fabs.f64(double %s)
  %oa = fcmp olt double %fa, 0x4320000000000000
  %ob = fcmp olt double %fb, 0x4320000000000000
  %os = fcmp olt double %fs, 0x4320000000000000
  %o1 = and i1 %oa, %ob
  %o2 = and i1 %o1, %os
  %nz = fcmp one double %s, 0.0
  %ok = and i1 %o2, %nz
  br i1 %ok, label %fine, label %bad
bad:
  ret i64 -1
fine:
  %ta = call double @llvm.trunc.f64(double %a)
  %wa = fcmp oeq double %ta, %a
  %unit = and i1 %wa, %up
  br i1 %unit, label %units, label %general
units:
  %d = fsub double %b, %a
  %fl = call double @llvm.floor.f64(double %d)
  %n = fptosi double %fl to i64
  %n1 = add i64 %n, 1
  %n2 = call i64 @llvm.smax.i64(i64 %n1, i64 0)
  ret i64 %n2
general:
  %same = fcmp oeq double %a, %b
  %pos = fcmp ogt double %s, 0.0
  %below = fcmp olt double %b, %a
  %wrong = icmp eq i1 %pos, %below
  %differ = xor i1 %same, true
  %none = and i1 %differ, %wrong
  br i1 %none, label %zero, label %some
zero:
  ret i64 0
some:
  %gap = fsub double %b, %a
  %span = fdiv double %gap, %s
  %fspan = call double @llvm.fabs.f64(double %span)
  %small = fcmp olt double %fspan, 0x42A0000000000000
  br i1 %small, label %counted, label %bad
counted:
  %r = call double @llvm.rint.f64(double %span)
  %big = call double @llvm.maxnum.f64(double %fa, double %fb)
  %tol = fmul double %big, 0x3CC0000000000000
  %rs = fmul double %r, %s
  %last = fadd double %a, %rs
  %over = fsub double %last, %b
  %nover = fneg double %over
  %signed = select i1 %pos, double %over, double %nover
  %beyond = fcmp ogt double %signed, %tol
  %ri = fptosi double %r to i64
  %less = sub i64 %ri, 1
  %c = select i1 %beyond, i64 %less, i64 %ri
  %c1 = add i64 %c, 1
  ret i64 %c1
}
"""

_WHOLE = """
  %fx = call double @llvm.fabs.f64(double %x)
  %fy = call double @llvm.fabs.f64(double %y)
  %sx = fcmp olt double %fx, 0x4320000000000000
  %sy = fcmp olt double %fy, 0x4320000000000000
  %small = and i1 %sx, %sy
  %qx = select i1 %small, double %x, double 0.0
  %qy = select i1 %small, double %y, double 0.0
  %ix = fptosi double %qx to i64
  %iy = fptosi double %qy to i64
  %bx = sitofp i64 %ix to double
  %by = sitofp i64 %iy to double
  %ex = fcmp oeq double %bx, %x
  %ey = fcmp oeq double %by, %y
  %whole = and i1 %ex, %ey
  %nz = icmp ne i64 %iy, 0
  %quick = and i1 %whole, %nz
  br i1 %quick, label %integers, label %floats
integers:
"""

_NEAR = """
  %fly = call double @llvm.floor.f64(double %y)
  %wy = fcmp oeq double %fly, %y
  br i1 %wy, label %plain, label %fraction
fraction:
  %ratio = fdiv double %x, %y
  %near = call double @llvm.rint.f64(double %ratio)
  %gap = fsub double %ratio, %near
  %fgap = call double @llvm.fabs.f64(double %gap)
  %fratio = call double @llvm.fabs.f64(double %ratio)
  %allowed = fmul double %fratio, 0x3CB0000000000000
  %close = fcmp ole double %fgap, %allowed
  %finite = fcmp olt double %fratio, 0x7FF0000000000000
  %nonzero = fcmp une double %near, 0.0
  %n1 = and i1 %close, %finite
  %n2 = and i1 %n1, %nonzero
  br i1 %n2, label %multiple, label %plain
"""

MOD = f"""
define internal double @fuselab_mod(double %x, double %y) #0 {{
{_WHOLE}
  %r = srem i64 %ix, %iy
  %flip = xor i64 %r, %iy
  %neg = icmp slt i64 %flip, 0
  %some = icmp ne i64 %r, 0
  %shift = and i1 %neg, %some
  %r1 = add i64 %r, %iy
  %r2 = select i1 %shift, i64 %r1, i64 %r
  %d = sitofp i64 %r2 to double
  ret double %d
floats:
  %zero = fcmp oeq double %y, 0.0
  br i1 %zero, label %same, label %divide
same:
  ret double %x
divide:
  %f = call double @fmod(double %x, double %y)
  %yneg = fcmp olt double %y, 0.0
  %fneg = fcmp olt double %f, 0.0
  %signs = xor i1 %yneg, %fneg
  %fnz = fcmp une double %f, 0.0
  %add = and i1 %signs, %fnz
  %f1 = fadd double %f, %y
  %f2 = select i1 %add, double %f1, double %f
  %f3 = select i1 %fnz, double %f2, double 0.0
{_NEAR}
multiple:
  ret double 0.0
plain:
  %infy = fcmp oeq double %fy, 0x7FF0000000000000
  %finx = fcmp olt double %fx, 0x7FF0000000000000
  %xpos = fcmp oge double %x, 0.0
  %ypos = fcmp oge double %y, 0.0
  %agree = icmp eq i1 %xpos, %ypos
  %k1 = and i1 %infy, %finx
  %k2 = and i1 %k1, %agree
  %xz = fadd double %x, 0.0
  %res = select i1 %k2, double %xz, double %f3
  ret double %res
}}
"""

REM = f"""
define internal double @fuselab_rem(double %x, double %y) #0 {{
{_WHOLE}
  %r = srem i64 %ix, %iy
  %d = sitofp i64 %r to double
  ret double %d
floats:
  %f = call double @fmod(double %x, double %y)
  %fz = fadd double %f, 0.0
{_NEAR}
multiple:
  ret double 0.0
plain:
  ret double %fz
}}
"""


_BOTH = "{ double, double }"


def _philox() -> str:
    """Philox4x32-10 as ``app.accel.codegen.philox`` describes it: two doubles, and one element."""
    lines = [
        f"define internal {_BOTH} @fuselab_pair(i64 %key, i64 %e) #0 {{",
        "  %b = lshr i64 %e, 1",
        "  %c0.0 = and i64 %b, 4294967295",
        "  %c1.0 = lshr i64 %b, 32",
        "  %k0.0 = and i64 %key, 4294967295",
        "  %k1.0 = lshr i64 %key, 32",
        "  %c2.0 = add i64 0, 0",
        "  %c3.0 = add i64 0, 0",
    ]
    for r in range(10):
        n = r + 1
        lines += [
            f"  %p0.{n} = mul i64 %c0.{r}, 3528531795",
            f"  %p1.{n} = mul i64 %c2.{r}, 3449720151",
            f"  %h1.{n} = lshr i64 %p1.{n}, 32",
            f"  %h0.{n} = lshr i64 %p0.{n}, 32",
            f"  %x1.{n} = xor i64 %h1.{n}, %c1.{r}",
            f"  %c0.{n} = xor i64 %x1.{n}, %k0.{r}",
            f"  %c1.{n} = and i64 %p1.{n}, 4294967295",
            f"  %x3.{n} = xor i64 %h0.{n}, %c3.{r}",
            f"  %c2.{n} = xor i64 %x3.{n}, %k1.{r}",
            f"  %c3.{n} = and i64 %p0.{n}, 4294967295",
            f"  %a0.{n} = add i64 %k0.{r}, {0x9E3779B9}",
            f"  %a1.{n} = add i64 %k1.{r}, {0xBB67AE85}",
            f"  %k0.{n} = and i64 %a0.{n}, 4294967295",
            f"  %k1.{n} = and i64 %a1.{n}, 4294967295",
        ]
    for n, (high, low) in enumerate((("c0", "c1"), ("c2", "c3"))):
        lines += [
            f"  %high{n} = shl i64 %{high}.10, 32",
            f"  %both{n} = or i64 %high{n}, %{low}.10",
            f"  %bits{n} = lshr i64 %both{n}, 12",
            f"  %d{n} = uitofp i64 %bits{n} to double",
            f"  %half{n} = fadd double %d{n}, 5.000000e-01",
            f"  %u{n} = fmul double %half{n}, 0x3CB0000000000000",
        ]
    lines += [*_returned("%u0", "%u1"), "}", _element_of("fuselab_uniform", "fuselab_pair")]
    return "\n".join(lines) + "\n"


def _returned(first: str, second: str) -> tuple[str, ...]:
    return (
        f"  %one = insertvalue {_BOTH} poison, double {first}, 0",
        f"  %two = insertvalue {_BOTH} %one, double {second}, 1",
        f"  ret {_BOTH} %two",
    )


def _element_of(name: str, pair: str) -> str:
    """A function that gives one of a pair: the first for an even place."""
    return f"""
define internal double @{name}(i64 %key, i64 %e) #0 {{
  %made = call {_BOTH} @{pair}(i64 %key, i64 %e)
  %even = extractvalue {_BOTH} %made, 0
  %odd = extractvalue {_BOTH} %made, 1
  %bit = trunc i64 %e to i1
  %x = select i1 %bit, double %odd, double %even
  ret double %x
}}"""


@cache
def _normal() -> str:
    """Normal numbers of the pairs, by the definition that kernels are made of as well."""
    from app.accel.codegen import philox_llvm

    definition, name = philox_llvm.normal_pair()
    one, both = "<1 x double>", "{ <1 x double>, <1 x double> }"
    lines = [
        definition,
        f"define internal {_BOTH} @fuselab_normal_pair(i64 %key, i64 %e) #0 {{",
        f"  %u = call {_BOTH} @fuselab_pair(i64 %key, i64 %e)",
    ]
    for n in range(2):
        lines += [
            f"  %u{n} = extractvalue {_BOTH} %u, {n}",
            f"  %v{n} = insertelement {one} poison, double %u{n}, i64 0",
        ]
    lines.append(f"  %z = call fastcc {both} @{name}({one} %v0, {one} %v1)")
    for n in range(2):
        lines += [
            f"  %y{n} = extractvalue {both} %z, {n}",
            f"  %z{n} = extractelement {one} %y{n}, i64 0",
        ]
    lines += [*_returned("%z0", "%z1"), "}", _element_of("fuselab_normal", "fuselab_normal_pair")]
    return "\n".join(lines) + "\n"


_PHILOX = _philox()


def _real(*names: str) -> tuple[str, ...]:
    """Intrinsics of one double."""
    return tuple(f"double @llvm.{n}.f64(double)" for n in names)


_REMAINDER = (
    *_real("fabs", "floor", "rint"),
    "double @fmod(double, double)",
    "double @llvm.copysign.f64(double, double)",
)


def _call(places: Sequence[str], count: str, steps: Sequence[int | str]) -> str:
    """The call of one of NumPy's loops, with places of operands and steps in bytes as arrays."""
    size = len(places)
    lines = [
        f"  %arrays = alloca [{size} x ptr]",
        "  %count = alloca i64",
        f"  %steps = alloca [{size} x i64]",
        f"  store i64 {count}, ptr %count",
    ]
    for k, (place, step) in enumerate(zip(places, steps, strict=True)):
        lines += [
            f"  %a{k} = getelementptr ptr, ptr %arrays, i64 {k}",
            f"  %s{k} = getelementptr i64, ptr %steps, i64 {k}",
            f"  store ptr {place}, ptr %a{k}",
            f"  store i64 {step}, ptr %s{k}",
        ]
    lines.append("  call void %f(ptr %arrays, ptr %count, ptr %steps, ptr %data)")
    return "\n".join(lines) + "\n"


def _numbers(names: Sequence[str], more: int) -> str:
    """An array of doubles ``%numbers``: these, and room for more; ``%n0`` and so on are places."""
    lines = [f"  %numbers = alloca [{len(names) + more} x double]"]
    places = range(len(names) + 1)
    lines += [f"  %n{k} = getelementptr double, ptr %numbers, i64 {k}" for k in places]
    lines += [f"  store double {name}, ptr %n{k}" for k, name in enumerate(names)]
    return "\n".join(lines) + "\n"


LOOPS = f"""
define internal void @fuselab_map(
    ptr %f, ptr %data, ptr %x, i64 %x.step, ptr %y, i64 %y.step, i64 %n) #0 {{
{_call(("%x", "%y"), "%n", ("%x.step", "%y.step"))}\
  ret void
}}
define internal {{ double, double }} @fuselab_fold_complex(
    ptr %f, ptr %data, ptr %x, i64 %n) #0 {{
  %total = alloca {{ double, double }}
  store {{ double, double }} zeroinitializer, ptr %total
{_call(("%total", "%x", "%total"), "%n", (0, 16, 0))}\
  %made = load {{ double, double }}, ptr %total
  ret {{ double, double }} %made
}}
define internal void @fuselab_map_two(
    ptr %f, ptr %data, ptr %x, i64 %x.step, ptr %y, i64 %y.step, ptr %z, i64 %z.step, i64 %n) #0 {{
{_call(("%x", "%y", "%z"), "%n", ("%x.step", "%y.step", "%z.step"))}\
  ret void
}}
define internal double @fuselab_fold(ptr %f, ptr %data, ptr %x, i64 %n, double %start) #0 {{
  %total = alloca double
  store double %start, ptr %total
{_call(("%total", "%x", "%total"), "%n", (0, 8, 0))}\
  %made = load double, ptr %total
  ret double %made
}}
define internal {{ double, double }} @fuselab_complex(
    ptr %f, ptr %data, double %a, double %b, double %c, double %d) #0 {{
{_numbers(("%a", "%b", "%c", "%d"), 2)}\
{_call(("%n0", "%n2", "%n4"), "1", (16, 16, 16))}\
  %made = load {{ double, double }}, ptr %n4
  ret {{ double, double }} %made
}}
define internal {{ double, double }} @fuselab_complex1(
    ptr %f, ptr %data, double %a, double %b) #0 {{
{_numbers(("%a", "%b"), 2)}\
{_call(("%n0", "%n2"), "1", (16, 16))}\
  %made = load {{ double, double }}, ptr %n2
  ret {{ double, double }} %made
}}
"""
"""Calls of NumPy's loops; a reduction stays in place."""

HELPERS: dict[str, tuple[tuple[str | Callable[[], str], ...], tuple[str, ...]]] = {
    "fuselab_grow": (
        (ROOM,),
        ("ptr @malloc(i64)", "ptr @memcpy(ptr, ptr, i64)", "void @free(ptr)"),
    ),
    "fuselab_room": (
        (ROOM,),
        ("ptr @malloc(i64)", "ptr @memcpy(ptr, ptr, i64)", "void @free(ptr)"),
    ),
    "fuselab_count": (
        (COUNT,),
        (
            *_real("fabs", "trunc", "floor", "rint"),
            "i64 @llvm.smax.i64(i64, i64)",
            "double @llvm.maxnum.f64(double, double)",
        ),
    ),
    "fuselab_mod": ((MOD,), _REMAINDER),
    "fuselab_rem": ((REM,), _REMAINDER),
    "fuselab_uniform": ((_PHILOX,), ()),
    "fuselab_normal": ((_PHILOX, _normal), ()),
    "fuselab_number": ((NUMBER,), ()),
    "fuselab_digits": ((DIGITS,), ()),
    "fuselab_spread": ((SPREAD,), ("ptr @memmove(ptr, ptr, i64)",)),
    "fuselab_map": ((LOOPS,), ()),
    "fuselab_map_two": ((LOOPS,), ()),
    "fuselab_fold_complex": ((LOOPS,), ()),
    "fuselab_fold": ((LOOPS,), ()),
    "fuselab_complex": ((LOOPS,), ()),
    "fuselab_complex1": ((LOOPS,), ()),
}
"""The helpers by name: their texts and what they call themselves."""


def module(bodies: list[str], declared: dict[str, str]) -> str:
    """A whole module of function texts and the functions they call."""
    wanted = dict(declared)
    texts: dict[str, None] = {}
    for name in declared:
        if name in HELPERS:
            del wanted[name]
            parts, needs = HELPERS[name]
            texts.update((part if isinstance(part, str) else part(), None) for part in parts)
            wanted.update({n.split("@")[1].split("(")[0]: f"declare {n}" for n in needs})
    return "\n".join([*sorted(wanted.values()), *texts, *bodies, ATTRIBUTES])
