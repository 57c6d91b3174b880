function [times, method] = tick_options(name, args, label)
% Times and method, in order or named.
[times, method] = deal([], 'simple');
named = ~isempty(args) && (ischar(args{1}) || isstring(args{1})) && any(strcmpi(args{1}, {label, 'Method'}));
for k = 1 + named:1 + named:numel(args)
    if (named && strcmpi(validatestring(args{k - 1}, {label, 'Method'}, name), 'Method')) || (~named && k == 2)
        method = lower(validatestring(args{k}, {'simple', 'continuous'}, name));
    else
        times = args{k};
    end
end
end
