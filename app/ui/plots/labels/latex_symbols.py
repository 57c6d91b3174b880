"""Symbols that LaTeX knows beyond those of TeX labels."""

from __future__ import annotations

from app.ui.plots.labels import markup


def _table(text: str) -> dict[str, str]:
    """Names and what they stand for, by turns."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


RELATIONS = markup.RELATIONS | _table(
    "odot ⊙ ominus ⊖ oslash ⊘ setminus ∖ land ∧ lor ∨ wr ≀ amalg ⨿ uplus ⊎ sqcup ⊔ sqcap ⊓ "
    "ltimes ⋉ rtimes ⋊ dagger † ddagger ‡ dag † ddag ‡ diamond ⋄ circledast ⊛ boxplus ⊞ "
    "boxtimes ⊠ dotplus ∔ bmod mod "
    "nsubseteq ⊈ subsetneq ⊊ sqsubseteq ⊑ sqsupseteq ⊒ owns ∋ "
    "prec ≺ succ ≻ preceq ≼ succeq ≽ leqslant ⩽ geqslant ⩾ lesssim ≲ gtrsim ≳ lessgtr ≶ "
    "gtrless ≷ nleq ≰ ngeq ≱ nless ≮ ngtr ≯ nsim ≁ ncong ≇ nmid ∤ nparallel ∦ asymp ≍ "
    "doteq ≐ triangleq ≜ trianglelefteq ⊴ models ⊨ vdash ⊢ frown ⌢ smile ⌣ bowtie ⋈ Join ⋈ "
    "coloneqq ≔ colonequals ≔ eqqcolon ≕ therefore ∴ because ∵ "
    "gets ← longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ Longleftarrow ⟸ "
    "longleftrightarrow ⟷ Longleftrightarrow ⟺ iff ⟺ implies ⟹ impliedby ⟸ longmapsto ⟼ "
    "hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ leftharpoonup ↼ rightleftharpoons ⇌ "
    "leftrightharpoons ⇋ twoheadrightarrow ↠ leadsto ⇝ rightsquigarrow ⇝ nearrow ↗ searrow ↘ "
    "swarrow ↙ nwarrow ↖ circlearrowright ↻"
)
SIGNS = markup.SIGNS | _table(
    "nexists ∄ varnothing ∅ lnot ¬ Uparrow ⇑ Downarrow ⇓ updownarrow ↕ Updownarrow ⇕ "
    "triangle △ vartriangle △ blacktriangle ▲ square □ Box □ blacksquare ■ Diamond ◇ lozenge ◊ "
    "bigstar ★ bigcirc ◯ checkmark ✓ top ⊤ bot ⊥ flat ♭ natural ♮ sharp ♯ eth ð hslash ℏ "
    "complement ∁ digamma ϝ S § P ¶ pounds £ lbrack [ rbrack ] lvert | rvert | lVert ‖ "
    "rVert ‖ colon : vcentcolon : measuredangle ∡ sphericalangle ∢ upharpoonright ↾ intercal ⊺"
)
BIG = markup.BIG | _table(
    "coprod ∐ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigvee ⋁ bigwedge ⋀ bigsqcup ⨆ biguplus ⨄ oiint ∯"
)
FUNCTIONS = markup.FUNCTIONS | {"lg", "hom", "limsup", "liminf", "injlim", "projlim"}
ACCENTS = markup.ACCENTS | {
    "Vec": "vec",
    "overrightarrow": "vec",
    "check": "check",
    "breve": "breve",
    "acute": "acute",
    "grave": "grave",
    "dddot": "dddot",
    "mathring": "ring",
}
SIZED = frozenset(
    f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", *"lrm")
)
"""What makes the delimiter behind it larger."""
WITHOUT_INK = frozenset(("phantom", "hphantom", "vphantom", "label", "tag", "hspace", "vspace"))
"""What takes an argument that is not shown."""
