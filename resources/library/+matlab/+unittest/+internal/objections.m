function text = objections(constraints, actual)
% What the constraints that a value does not satisfy say of it.
text = '';
for one = constraints
    if ~one{1}.satisfiedBy(actual)
        said = matlab.unittest.internal.textof(one{1}.getDiagnosticFor(actual));
        text = sprintf('%s%s\n', text, said);
    end
end
text = strtrim(text);
end
