function [x, fval, exitflag, output] = bintprog(f, A, b, Aeq, beq, x0, options)
% [x, fval, exitflag, output] = bintprog(f, A, b, Aeq, beq, x0, options): the vector of zeros and ones with the least f'*x, A*x <= b and Aeq*x == beq. An older name
%   of what intlinprog does with bounds of 0 and 1; x0 and options are not needed and refused unless empty.
if nargin < 2, [A, b] = deal([]); end
if nargin < 4, [Aeq, beq] = deal([]); end
if nargin > 5 && ~isempty(x0) || nargin > 6 && ~isempty(options)
    error('optim:bintprog:unsupportedInputs', 'bintprog takes no start and no options; call intlinprog with them.');
end
n = numel(f);
[x, fval, exitflag, output] = intlinprog(f, 1:n, A, b, Aeq, beq, zeros(n, 1), ones(n, 1));
x = round(x);
end
