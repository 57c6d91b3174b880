function text = objection(actual, constraint)
% What a constraint has against a value; empty when it is satisfied.
text = '';
if isa(actual, 'matlab.unittest.internal.Elements')
    text = actual.objection(constraint);
elseif ~constraint.satisfiedBy(actual)
    text = matlab.unittest.internal.textof(constraint.getDiagnosticFor(actual));
    if isempty(text)
        text = 'The constraint is not satisfied.';
    end
end
end
