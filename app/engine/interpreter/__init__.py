"""Execution: MATLAB's syntax tree becomes Python code objects.

* ``analysis`` finds out what the names of a function are, ``kinds`` which variables are always
  plain numbers, and the ``compile_*`` modules write the Python tree, statement by statement;
* ``support`` is what the generated code calls, ``indexing``/``assigning``/``chains`` are the
  meaning of ``x(i)``, ``x(i) = v`` and ``a.b{i}(j) = v``;
* ``resolver`` answers what a function name means, ``interpreter`` runs things, ``frames`` sees the
  MATLAB frames on the Python stack, ``faults`` turns any exception into MATLAB's error.
"""
