"""Live code: ``.m`` files that are documents, with text, equations, controls and stored outputs.

``document`` reads the plain-text format that MATLAB has had since R2025a (and the publishing
markup of ordinary scripts) into blocks; ``markup`` reads the text within them; ``running`` runs a
document; ``html_page``, ``markdown_text``, ``latex_text`` and ``notebook`` write it; ``notebook``
and ``mlx`` read other formats into it. The text of the file stays the truth: what is changed is
changed in its lines, so that a document nobody changed is saved as it was, byte for byte.
"""
