function miss = missedby(problem, p, which)
% miss = missedby(problem, p, which): by how much a point misses the constraints; which 'ineqs': inequalities only.
miss = 0;
if isfield(problem, 'Aineq') && ~isempty(problem.Aineq), miss = miss + sum(max(problem.Aineq*p(:) - problem.bineq(:), 0)); end
only = nargin > 2 && strcmp(which, 'ineqs');
if ~only && isfield(problem, 'Aeq') && ~isempty(problem.Aeq), miss = miss + sum(abs(problem.Aeq*p(:) - problem.beq(:))); end
if isfield(problem, 'nonlcon') && ~isempty(problem.nonlcon)
    [c, ceq] = problem.nonlcon(reshape(p, size(problem.x0)));
    miss = miss + sum(max(c(:), 0));
    if ~only, miss = miss + sum(abs(ceq(:))); end
end
end
