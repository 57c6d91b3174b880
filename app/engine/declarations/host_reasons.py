"""Why the builtins of a family stay on the host, where they do."""

from __future__ import annotations

_TEXT = "text lives in host memory"
_FILES = "reads or writes files"
SESSION = "steers the session and computes no arrays"
_CONTAINER = "works on containers, which live in host memory"
_CALLS = "calls functions step by step; the arrays inside them go to the device by themselves"
_ITERATIVE = "iterates on the host with LAPACK or SciPy; there is no kernel for it"
_SIZE = "the size of its result depends on the data, which the host has to look at"

OF_FAMILY = {
    "argument checks": "checks an argument's value on the host and computes no arrays",
    "arrays": "reads and checks its subscripts on the host",
    "bits": "views the same memory as other bytes, which the graph's types cannot",
    "categories": "categories are looked up in host memory",
    "cells": _CONTAINER,
    "class conversion": "gives or takes text, or views memory as another class",
    "complex numbers": "gives complex numbers; arrays on the graph are real",
    "constants": "gives one number",
    "containers": _CONTAINER,
    "control systems": "works on small matrices and polynomials with LAPACK and SciPy",
    "creation": "reads sizes, which the host has to know",
    "data preparation": "finds neighbours and gaps one after the other; there is no kernel for it",
    "dates": "dates and durations are objects in host memory",
    "device": "asks or steers the device itself",
    "differential equations": _CALLS,
    "distributions": "draws or sums in SciPy; there is no closed formula for all its distributions",
    "elementary maths": "works on classes or answers that the graph's types cannot hold",
    "errors": SESSION,
    "evaluation": _CALLS,
    "exponents and logarithms": "has to look at the data: negative numbers are an error",
    "files": _FILES,
    "functions": _CALLS,
    "geometry": "builds or searches a mesh on the host; there is no kernel for it",
    "graphics": "builds objects of a figure; plotted arrays stay where they are",
    "histograms": "chooses edges and counts on the host; there is no kernel for it",
    "images": "walks neighbourhoods or counts grey levels in SciPy; there is no kernel for it",
    "integration": _CALLS,
    "interpolation": "searches for intervals on the host; there is no kernel for it",
    "linear algebra": "factorises with LAPACK on the host; there is no kernel for it",
    "logic": "works on classes that live in host memory",
    "moving windows": "sorts or sums squares in every window; there is no kernel for it",
    "networks": "walks nodes and edges in SciPy or one by one; there is no kernel for it",
    "number theory": "needs exact integers of any size, one after the other",
    "numbers as text": _TEXT,
    "numerical integration": _CALLS,
    "objects": "objects live in host memory",
    "operators": "works on classes that live in host memory",
    "optimisation": _CALLS,
    "parallel": SESSION,
    "polynomials": "works on a few coefficients, or solves for them with LAPACK",
    "programs": SESSION,
    "Python": "calls Python code, which takes its arrays from host memory",
    "questions": "needs the values of containers and text on the host",
    "random numbers": "draws one number after the other from the stream",
    "reductions": "counts equal values on the host; there is no kernel for it",
    "rounding": "works on classes that live in host memory",
    "session": SESSION,
    "sets": _SIZE,
    "signal processing": _ITERATIVE,
    "sorting and searching": _SIZE,
    "sound": _FILES,
    "sparse matrices": "sparse matrices live in host memory",
    "special functions": "its series are SciPy's; there is no kernel for it",
    "special matrices": "fills a matrix by a rule that is not elementwise",
    "statistics": _ITERATIVE,
    "strings": _TEXT,
    "structs": _CONTAINER,
    "system": "asks or calls the operating system",
    "tables": "tables are containers in host memory",
    "text input": _TEXT,
    "text output": "prints values, which have to be on the host for that",
    "time": "reads clocks and calendars",
    "trigonometry": "works on classes that live in host memory",
    "web": "talks to servers or encodes bytes on the host",
    "windows": "needs Bessel functions, for which there is no kernel",
    "workspace": SESSION,
}
"""Reason by category, for builtins whose declaration gives none of their own."""

OF_TOOLBOX = "is Python code of a toolbox, whose declaration names no device form"
"""Reason of functions that toolboxes bring."""
