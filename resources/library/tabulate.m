function t = tabulate(x)
% t = tabulate(x): the values of x, how often each occurs, and its share in percent.
%   Whole positive numbers are counted from 1 to the largest. Texts and categories give a cell.
%   Without an output the table is printed.
if isnumeric(x) || islogical(x)
    x = double(x(~isnan(x)));
    x = x(:);
    if all(x == round(x) & x > 0)
        names = (1:max([x; 0]))';
        counts = accumarray(x, 1, [numel(names) 1]);
    else
        [names, ~, place] = unique(x);
        counts = accumarray(place, 1, [numel(names) 1]);
    end
    made = [names counts 100*counts/max(numel(x), 1)];
    rows = num2cell(made);
else
    if iscategorical(x)
        names = categories(x);
        counts = countcats(x(:));
    else
        texts = cellstr(x);
        texts = texts(~cellfun('isempty', texts));
        [names, ~, place] = unique(texts(:), 'stable');
        counts = accumarray(place, 1, [numel(names) 1]);
    end
    made = [names(:) num2cell(counts(:)) num2cell(100*counts(:)/max(sum(counts), 1))];
    rows = made;
end
if nargout
    t = made;
    return
end
fprintf('%10s  %8s  %8s\n', 'Value', 'Count', 'Percent');
for k = 1:size(rows, 1)
    value = rows{k, 1};
    if isnumeric(value)
        value = sprintf('%g', value);
    end
    fprintf('%10s  %8d  %7.2f%%\n', value, rows{k, 2}, rows{k, 3});
end
end
