function p = optimproblem(varargin)
% p = optimproblem, optimproblem('ObjectiveSense', 'maximize', 'Objective', e, 'Constraints', c, 'Description', d): a problem whose Objective and Constraints are made of
%   those of optimvar; solve(p) solves it.
p = OptimizationProblem();
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, {'ObjectiveSense', 'Objective', 'Constraints', 'Description'}, 'optimproblem');
    if k == numel(varargin), error('optim_problemdef:optimproblem:missingValue', 'The option %s lacks its value.', name); end
    p.(name) = varargin{k + 1};
end
end
