% dialect: matlab
% oracle: texts are MATLAB's
p = inputParser; p.FunctionName = 'tool'; p.KeepUnmatched = true;
addRequired(p, 'n', @(x) isnumeric(x) && isscalar(x)); addOptional(p, 'm', 5); addParameter(p, 'Color', 'red', @ischar); addSwitch(p, 'fast');
parse(p, 3, 'Color', 'blue', 'Other', 1, 'fast')
p.Results, p.Unmatched, p.UsingDefaults
try, parse(p, 'x'), catch e, disp(e.identifier), end
try, parse(p), catch e, disp(e.identifier), end
q = inputParser; q.addParameter('a', 1); q.StructExpand = true; q.parse(struct('a', 9)); q.Results.a
try, q.parse('b', 2), catch e, disp(e.message), end
