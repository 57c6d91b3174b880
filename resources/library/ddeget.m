function value = ddeget(options, name, default)
% value = ddeget(options, name, default): an option of dde23, or the default where it is not set.
value = [];
if isfield(options, name), value = options.(name); end
if isempty(value) && nargin > 2, value = default; end
end
