function e = fcn2optimexpr(f, varargin)
% e = fcn2optimexpr(f, x, ...), fcn2optimexpr(..., 'OutputSize', [m n]): what a function makes of expressions, as a nonlinear expression. Its size must be the one that is
%   given, if one is. 'ReuseEvaluation' may be true or false: values are the same. Several outputs are refused.
at = find(cellfun(@(v) (ischar(v) || isstring(v)) && any(strcmpi(v, {'OutputSize', 'ReuseEvaluation'})), varargin), 1);
pairs = {};
if ~isempty(at), [pairs, varargin] = deal(varargin(at:end), varargin(1:at - 1)); end
if nargout > 1, error('optim_problemdef:fcn2optimexpr:outputs', 'fcn2optimexpr makes one expression.'); end
owners = struct();
for k = 1:numel(varargin)
    if isa(varargin{k}, 'OptimizationExpression')
        for name = fieldnames(varargin{k}.Owners)', owners.(name{1}) = varargin{k}.Owners.(name{1}); end
    end
end
given = varargin;
e = OptimizationExpression(@(v) called(f, given, v), Inf, owners);
for k = 1:2:numel(pairs)
    option = validatestring(pairs{k}, {'OutputSize', 'ReuseEvaluation'}, 'fcn2optimexpr');
    if k == numel(pairs), error('optim_problemdef:fcn2optimexpr:missingValue', 'The option %s lacks its value.', option); end
    if strcmp(option, 'OutputSize') && ~isequal(zeros(pairs{k + 1}), zeros(size(e)))
        error('optim_problemdef:fcn2optimexpr:outputSize', 'The function gives numbers of another size than OutputSize.');
    end
end
end

function y = called(f, given, v)
for k = 1:numel(given)
    if isa(given{k}, 'OptimizationExpression'), given{k} = evaluate(given{k}, v); end
end
y = f(given{:});
end
