% oracle: an optional input that was not given by its place may be given by its name, as in published toolboxes
% dialect: matlab
disp(named(1, 'roi', [1 0 1]).roi); disp(named(1, 'roi', [1 0 1]).mu);
disp(named(1, 5, 'ROI', 2)); disp(named(1, 5, 2).UsingDefaults);
try, named(1, 'roi', 'x'); catch e, disp(e.identifier); end
try, named(1, 'ro', 2); catch e, disp(e.identifier); end
try, named(1, 5, 2, 'roi', 3); catch e, disp(e.identifier); end
try, named(1, 'x'); catch e, disp(e.message); end
function r = named(y, varargin)
p = inputParser;
addRequired(p, 'y');
addOptional(p, 'mu', 0, @(x) isnumeric(x));
addOptional(p, 'roi', [], @(x) isempty(x) || isnumeric(x));
addParameter(p, 'mode', 'a');
parse(p, y, varargin{:});
r = p.Results;
r.UsingDefaults = numel(p.UsingDefaults);
end
