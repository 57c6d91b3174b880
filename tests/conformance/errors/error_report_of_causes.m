% dialect: matlab
% oracle: Octave's errors have no causes
try
    try, error('A:b', 'inner %d', 1), catch inner, end
    outer = addCause(addCause(MException('C:d', 'outer'), inner), MException('E:f', 'unthrown'));
    throw(outer)
catch problem
    disp(getReport(problem)), disp(getReport(problem, 'basic')), disp(numel(problem.cause))
end
try, rethrow(problem), catch again, disp(isequal(getReport(again), getReport(problem))), end
