classdef StringDiagnostic < matlab.unittest.diagnostics.Diagnostic
    % A text.
    methods
        function diagnostic = StringDiagnostic(text)
            diagnostic.DiagnosticText = char(text);
        end

        function diagnose(~)
        end
    end
end
