"""Python's modules and objects in MATLAB code: ``py.``, ``pyrun``, ``pyrunfile``, ``pyenv``.

``py_values`` says how values correspond, ``py_object`` is a Python object as a MATLAB value, and
``py_calls`` has the functions. The interpreter is the one that Fuselab itself runs in.
"""
