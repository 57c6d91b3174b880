function [k, flag] = error_options(name, args)
% Bits and the direction of counting.
[k, flag] = deal([], '');
for j = 1:numel(args)
    if ischar(args{j}) || isstring(args{j})
        flag = validatestring(args{j}, {'overall', 'column-wise', 'row-wise'}, name);
    else
        k = args{j};
    end
end
end
