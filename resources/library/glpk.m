function [x, value, status, extra] = glpk(c, A, b, lb, ub, ctype, vartype, sense, ~)
% [x, value, status, extra] = glpk(c, A, b, lb, ub, ctype, vartype, sense): a linear programme, also
% with whole unknowns (Octave's).
%   ctype: one letter for each row: U upper bound, L lower bound, S equality, F free.
%   vartype: C or I for each unknown. sense: 1 minimum, -1 maximum. status is 0 when it was solved.
n = numel(c);
if nargin < 4 || isempty(lb)
    lb = zeros(n, 1);
end
if nargin < 5 || isempty(ub)
    ub = inf(n, 1);
end
[lb(isinf(lb)), ub(isinf(ub))] = deal(-Inf, Inf); % any infinite bound is none
if nargin < 6 || isempty(ctype)
    ctype = repmat('U', 1, numel(b));
end
if nargin < 7 || isempty(vartype)
    vartype = repmat('C', 1, n);
end
if nargin < 8 || isempty(sense)
    sense = 1;
end
[b, A, ctype] = deal(b(:), full(A), upper(ctype(:)'));
[up, low, same] = deal(ctype == 'U', ctype == 'L', ctype == 'S');
[x, value, flag, ~] = intlinprog(sense*c(:), find(vartype(:)' == 'I'), [A(up, :); -A(low, :)], ...
    [b(up); -b(low)], A(same, :), b(same), lb(:), ub(:));
extra = struct('lambda', [], 'redcosts', [], 'time', 0, 'status', 5);
if flag > 0
    status = 0;
    value = sense*value;
else
    [x, value, status] = deal(nan(n, 1), NaN, 0);
    extra.status = 4;
end
end
