function e = known_errors(name, given)
% The errors that are numbers, in one column, of what mae and its kin take: errors, or a network, targets and outputs;
%   matrices, or cells of them. The function's name is for its message.
if isscalar(given)
    e = given{1};
elseif numel(given) == 3
    [t, y] = deal(given{2:3});
    if iscell(t), e = cellfun(@minus, t, y, 'UniformOutput', false); else, e = t - y; end
else
    error(['nnet:' name ':unsupportedInputs'], '%s takes errors, or a network, targets and outputs.', name);
end
if iscell(e), e = cell2mat(cellfun(@(m) m(:), e(:), 'UniformOutput', false)); end
e = e(~isnan(e));
e = e(:);
end
