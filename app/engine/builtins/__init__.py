"""The builtin functions, one declaration each: a folder per family, a module per subject.

Here are only the table of declarations and what all families share. How to add one: put a function
like this into the module it belongs to (or a new one; nothing has to be registered elsewhere)::

    @builtin(
        "fliplr", category="arrays", signatures=("B = fliplr(A)",),
        cases=("isequal(fliplr([1 2 3]), [3 2 1])",), see=("flipud", "flip"),
    )
    def fliplr(a: Value) -> Value:
        \"\"\"Reverse the order of columns.\"\"\"
        return canonical(as_array(a)[:, ::-1])

* The decorator (``@builtin(`` or ``declare_…(``, at the start of a line, name as a literal first
  argument) is found by scanning the text, so a module is imported only when one of its names is
  used. Import heavy packages (scipy) inside functions.
* Positional parameters are MATLAB's inputs; defaults or ``*args`` make them optional. A parameter
  ``ctx: CallContext`` (first) and a keyword ``nargout: int`` are passed when declared.
* Return one value; a tuple for several outputs (more than asked for is fine); None for none.
  Return canonical values: ``canonical(array)`` unwraps 1x1 doubles and narrows complex.
* Arguments arrive gathered (never DeviceArray) unless ``device=METADATA`` or ``CONTAINER``.
  ``as_array(v)`` turns any number-like into an ndarray; ``text_of(v)`` any text into ``str``.
* ``device=`` makes large arrays go to the graph: ``Elementwise(op)``, ``Reduction(op)``,
  ``Formula(lambda x: 1 / x.cos())``, ``term_form(function)`` with a function of the module
  ``…_forms`` beside this one; see ``declarations/device_support.py``.
* A function that is one operation of the graph is declared by its record (``accel.ir.operations``).
* Raise ``MatlabError(identifier, message)`` for the user's mistakes, with MATLAB's text.
* ``cases`` are MATLAB expressions that must be true; they are run as tests and shown as examples.
"""
