function [q, err] = quadcc(f, a, b, tol, sing)
% [q, err] = quadcc(f, a, b, tol, sing): the integral of a function of vectors from a to b (Octave's).
% TOL is the absolute, or the absolute and the relative tolerance; SING holds places of singularities.
if nargin < 3
    print_usage();
end
if nargin < 4 || isempty(tol)
    tol = [1e-10 1e-6];
elseif ~isnumeric(tol) || numel(tol) > 2 || any(tol < 0)
    error('quadcc:invalidTolerance', 'The tolerances of quadcc must be one or two numbers that are not negative.');
elseif isscalar(tol)
    tol = [tol 1e-6];
end
if nargin < 5
    sing = [];
end
if ischar(f) || isstring(f)
    f = str2func(f);
end
if ~isscalar(a) || ~isscalar(b) || ~isreal(a) || ~isreal(b)
    error('quadcc:invalidLimits', 'The limits of quadcc must be real numbers.');
end
[q, err] = quadgk(f, a, b, 'AbsTol', tol(1), 'RelTol', tol(2), 'Waypoints', sing);
end
