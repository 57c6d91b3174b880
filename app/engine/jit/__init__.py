"""Loops over single numbers and small arrays, and recursive functions, as machine code.

What was decided, and why:

* **Compiled code never raises and never decides what an error says.** Every statement either
  completes or is left before it has changed anything (a check failed: a subscript, NaN under
  ``if``, a root that turns complex, an unset variable …). The interpreter then goes on with that
  very statement, so values, messages, lines and stacks are its own by construction. What cannot be
  compiled in a branch is such a place too, so a loop that prints now and then is still compiled.
  Functions touch only their own variables: a check that fails in one ends it, and the statement
  that called is run again by the interpreter.
* **The interpreter stays the owner of the loop.** It runs passes in chunks (`site`) that cost
  nothing per pass and asks between two of them whether machine code is there; a loop switches in
  the middle, and back for the rest of one pass (`resume`, compiled when it is needed).
* **Types are found by compiling.** One walk over the syntax tree emits LLVM assembly and
  notes the type of every assignment; it is repeated until no variable's type changes. There is no
  second description of the rules, and the walk takes a few milliseconds. Code is specialised
  on the classes met at entry and on which variables are indexed; sizes are values.
* **What a type does not tell is learned.** An operand of any size is taken for a vector where no
  dimension is named; code that meets a matrix there says so, and is made again.
* **A scalar lives in a register, an array in six** (elements, number, rows, columns, room, owner).
  Whether an array is a row, a column, of any size or has pages is part of its type, so that
  ``x'*y`` is a scalar; of four and more dimensions the extents between are part of it, too. An
  expression tells an array by its size and its elements, and is stored when it gets a name.
  Products are those of BLAS, solutions of small systems those of LAPACK, sums and elementary
  functions NumPy's own loops (`external`): the interpreter uses the same, so digits do not depend
  on when a loop was compiled.
* **Parts of containers are variables** (`specialisation`): a loop is written again for the shapes
  of its structs, cells, objects and handles (`flattening`), with functions that take or give such
  in the place of their calls (`inlining`). Nothing below knows a container.
  Arrays that are written are changed in place when only their variable holds them, else copied
  once at entry. Whole-number counters are kept as integers beside their doubles, so that subscripts
  made from them need one comparison.
* **Assembly is compiled in the background** (`building`), the newest request first, and kept on
  disk; quickly at first, and again with all optimisations once it has run for 2 ms
  (`machine_code`); a loop that was worth it in an earlier run is compiled before its first pass.
* **The C library's functions** are those of Python's ``math``; the compiler may neither replace
  nor contract anything. Random numbers are the stream's own (Philox), their offset goes back when a
  statement is left.

=============  ====================================================================
`site`         a loop in the program: chunks, when to compile, when to switch
`version`      a loop compiled for certain types: build, enter, leave
`state`        variables to words of memory and back
`resume`       the rest of a pass in the interpreter
`counting`     recursive functions called from the interpreter, compiled when `hot`
`region`       a loop to one function; `functions`, `calls`: functions it calls. Both hold
               `statements` (with `loops`), those `expressions`, and those the parts below
`arithmetic`   scalars; `variables`, `indexing` (with `layout`), `arrays`, `complexes`,
               `complex_arrays`: what they are named for; `intrinsics`, `characters`,
               `slices`, `ranges`, `deletion`, `products`, `powers`, `systems`, `least_squares`,
               `factors`, `reductions`, `lines` of matrices, `vectors`,
               `sorting`, `maps`, `joining`, `shapes_made`, `random`, `text_numbers`, `listed`:
               functions that are given the `Expressions`;
               `rewritten_calls`: calls that are expressions; `builder`, `prelude`: the assembly
`flattening`   a loop without containers; `container_shapes`, `part_names`, `wholes`, `questions`:
               what is known of them; `inlining`, `function_lookup`, `inline_scopes`: calls;
               `trees`: what the rewritten loop has besides; `undoing`: how it is left
`facts`        what the text says before any type is known; `types`, `policy`, `program`
=============  ====================================================================

Not compiled: sparse arrays, most functions and products of complex matrices, whole arrays that have
more than three dimensions (their elements are), systems of many equations, globals of functions,
nested functions, output, what a ``catch`` does.
"""
