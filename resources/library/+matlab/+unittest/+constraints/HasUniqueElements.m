function constraint = HasUniqueElements()
% No element occurs twice.
constraint = matlab.unittest.internal.Check(@(x) numel(unique(x)) == numel(x), ...
    'Some elements are equal.');
end
