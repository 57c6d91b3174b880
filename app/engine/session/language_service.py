"""What the editor asks about a text: diagnostics, colours, outline, completions, signatures.

Pure functions of a text and of what is known around it; nothing runs and no session is needed,
so they are called in any thread.
"""

from __future__ import annotations

from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.check import check_result
from app.engine.analysis.completion import Completion, complete, fields_wanted
from app.engine.analysis.indent import indent_level, reindent
from app.engine.analysis.known import Arity, Surroundings, builtin_names, look_around
from app.engine.analysis.named_arguments import command_word
from app.engine.analysis.navigation import (
    Definition,
    Edit,
    definition,
    references,
)
from app.engine.analysis.nearby import document_near, is_quick
from app.engine.analysis.outline import Fold, OutlineEntry, Section, folds, outline, sections
from app.engine.analysis.ranking import (
    best_completions,
    letters_found,
    name_counts,
    ranked_completions,
)
from app.engine.analysis.renaming import Occurrence, Renaming, code_files, renaming, text_of
from app.engine.analysis.signatures import (
    Hover,
    SignatureHelp,
    call_form,
    describe,
    function_known,
    hover,
    signature_help,
)
from app.engine.analysis.test_discovery import (
    Discovery,
    UnitTest,
    discover,
    tests_of_file,
    tests_of_text,
)
from app.engine.analysis.typing_aid import (
    block_opener,
    functions_end,
    indent_of_next,
    is_complete,
    opens_pair,
    width_of,
)
from app.engine.language import MATLAB, Diagnostic, Dialect, parse_expression
from app.records import record
from app.source import SourceText, Span

__all__ = [
    "Analysis",
    "Arity",
    "Completion",
    "Definition",
    "Discovery",
    "Document",
    "Edit",
    "Fold",
    "Hover",
    "Occurrence",
    "OutlineEntry",
    "Renaming",
    "Section",
    "SignatureHelp",
    "Surroundings",
    "UnitTest",
    "analyse",
    "best_completions",
    "block_opener",
    "builtin_names",
    "code_files",
    "command_word",
    "complete",
    "definition",
    "describe",
    "discover",
    "document_near",
    "fields_wanted",
    "folds",
    "function_help",
    "functions_end",
    "hover",
    "indent_level",
    "indent_of_next",
    "is_complete",
    "is_quick",
    "letters_found",
    "look_around",
    "name_counts",
    "open_document",
    "opens_pair",
    "outline",
    "problem_of_expression",
    "ranked_completions",
    "references",
    "reindent",
    "remarks",
    "renaming",
    "sections",
    "signature_help",
    "tests_of_file",
    "tests_of_text",
    "text_of",
    "width_of",
]


@record
class Analysis:
    """What a text says about itself.

    Attributes:
        diagnostics: errors and warnings.
        functions: places where functions are called.
        variables: names that are assigned.
        outline: functions, classes and sections.
        folds: what can be folded.
        sections: the ``%%`` sections.
        own: those of the functions that are written in MATLAB, here or in the folder.
        uses: variables where they are mentioned: name and place.
    """

    diagnostics: tuple[Diagnostic, ...]
    functions: tuple[Span, ...]
    variables: frozenset[str]
    outline: tuple[OutlineEntry, ...]
    folds: tuple[Fold, ...] = ()
    sections: tuple[Section, ...] = ()
    own: frozenset[Span] = frozenset()
    uses: tuple[tuple[str, Span], ...] = ()


def analyse(
    source: SourceText, dialect: Dialect = MATLAB, surroundings: Surroundings | None = None
) -> Analysis:
    """Everything at once: the editor asks after every pause in typing."""
    document = open_document(source, dialect)
    own = frozenset(document.definitions)
    if surroundings is not None:
        own |= surroundings.functions.keys() - builtin_names()
    known = builtin_names() | own
    calls = {
        m.occurrence.span: m.occurrence.name
        for m in document.mentions
        if m.owner is None and m.occurrence.name in known
    }
    uses = {(m.occurrence.name, m.occurrence.span) for m in document.mentions if m.owner}
    return Analysis(
        remarks(document, surroundings),
        tuple(sorted(calls)),
        frozenset(name for scope in document.symbols.all_scopes() for name in scope.bound),
        outline(document),
        folds(document),
        sections(document),
        frozenset(span for span, name in calls.items() if name in own),
        tuple(sorted(uses, key=lambda use: use[1])) if len(source.text) < LARGE else (),
    )


def remarks(document: Document, surroundings: Surroundings | None = None) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a text."""
    from app.engine.livecode.consistency import markup_diagnostics

    source = document.source
    found = check_result(document.result, source, document.symbols, surroundings)
    return (*found, *markup_diagnostics(source.text))


def problem_of_expression(text: str) -> str:
    """Why a text is no expression; empty for one that is."""
    _, found = parse_expression(SourceText("expression", text))
    return found[0].message if found else ""


LARGE = 200_000
"""Above this many characters the places of variables are not told."""


# --- help -------------------------------------------------------------------------------------


@record
class HelpPage:
    """What is known about a function.

    Attributes:
        name: its name.
        category: its family; empty for a ``.m`` file.
        signatures: call forms.
        text: the help text.
        examples: expressions that are true; they can be tried.
        see: related names.
        on_device: whether it can run on the device and fuse.
        reason: why it cannot, when it cannot.
    """

    name: str
    category: str
    signatures: tuple[str, ...]
    text: str
    examples: tuple[str, ...]
    see: tuple[str, ...]
    on_device: bool
    reason: str


def help_page(name: str) -> HelpPage | None:
    """The page of a builtin; None when there is none of that name."""
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return None
    return HelpPage(
        name,
        found.category,
        tuple(found.signatures),
        found.help,
        tuple(found.cases),
        tuple(found.see),
        not found.device.reason,
        found.device.reason,
    )


def function_help(
    name: str, document: Document | None = None, surroundings: Surroundings | None = None
) -> HelpPage | None:
    """The page of a function of the text, of a file around it, or of a builtin."""
    node = function_known(name, document, surroundings)
    if node is None:
        return help_page(name)
    return HelpPage(name, "", (call_form(node),), node.help.strip(), (), (), False, "")


def help_index() -> tuple[tuple[str, str], ...]:
    """Every builtin with its category; loads all families, so ask in another thread."""
    from app.engine.declarations import registry

    return tuple((name, found.category) for name, found in registry.load_all().items())
