function text = textof(said)
% The text of what a constraint or the author of a test says: text, or a diagnostic.
if isa(said, 'matlab.unittest.diagnostics.Diagnostic')
    said.diagnose();
    said = said.DiagnosticText;
elseif isa(said, 'function_handle')
    said = evalc('said()');
end
text = char(said);
end
