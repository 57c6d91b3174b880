classdef SecondOrderConeConstraint
    % norm(A*x - b) <= d'*x - gamma, made by secondordercone.
    properties (SetAccess = private)
        A = [];
        b = zeros(0, 1);
        d = zeros(0, 1);
        gamma = 0;
    end

    methods
        function c = SecondOrderConeConstraint(A, b, d, gamma)
            % SecondOrderConeConstraint(A, b, d, gamma): A has a row for each number of b and a column for each number of d.
            if nargin == 0, return, end
            given = {A, b, d, gamma};
            for k = 1:4
                if ~isnumeric(given{k}) || ~isreal(given{k}) || ~all(isfinite(given{k}), 'all')
                    error('optim:coneprog:InvalidCone', 'A, b, d and gamma must be real and finite numbers.');
                end
            end
            if ~isscalar(gamma), error('optim:coneprog:InvalidCone', 'gamma must be one number.'); end
            if ~ismatrix(A) || size(A, 1) ~= numel(b) || size(A, 2) ~= numel(d)
                error('optim:coneprog:InvalidCone', 'A must have %d rows, one for each number of b, and %d columns, one for each number of d.', numel(b), numel(d));
            end
            [c.A, c.b, c.d, c.gamma] = deal(double(A), double(b(:)), double(d(:)), double(gamma));
        end
    end
end
