function text = contrast(actual, relation, limit)
% A value beside its limit.
text = sprintf('The value is %s:\n%sbeside\n%s', relation, evalc('disp(actual)'), ...
    evalc('disp(limit)'));
end
