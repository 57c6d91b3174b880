classdef (Abstract) Diagnostic < handle
    % What a failed check says; diagnose fills DiagnosticText.
    properties (SetAccess = protected)
        DiagnosticText = ''
    end

    methods (Abstract)
        diagnose(diagnostic)
    end
end
