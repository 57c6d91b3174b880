classdef Elements
    % The elements of an array, all or any of which have to satisfy a constraint.
    properties (SetAccess = private)
        Values
        Quantifier
    end

    methods
        function elements = Elements(values, quantifier)
            elements.Values = values;
            elements.Quantifier = quantifier;
        end

        function text = objection(elements, constraint)
            % What is wrong; empty when nothing is.
            good = cellfun(@(x) constraint.satisfiedBy(x), elements.Values);
            text = '';
            if ~elements.Quantifier(good(:))
                bad = find(~good, 1);
                said = constraint.getDiagnosticFor(elements.Values{bad});
                text = sprintf('Element %d: %s', bad, matlab.unittest.internal.textof(said));
            end
        end
    end
end
