"""The Jupyter kernel: notebooks whose cells are MATLAB code (``fuselab kernel install``)."""
