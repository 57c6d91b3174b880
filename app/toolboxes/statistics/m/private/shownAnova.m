function shownAnova(tbl, y, place, names, shown)
% Prints the table of an analysis of variance and draws the samples, unless the last argument is 'off'.
if strcmpi(shown, 'off'), return, end
for k = 1:size(tbl, 1)
    row = cellfun(@(v) text_(v), tbl(k, :), 'UniformOutput', false);
    fprintf('%-12s%14s%8s%14s%12s%12s\n', row{:});
end
figure
boxplot(y, names(place))
end

function t = text_(v)
if ischar(v), t = v; elseif isempty(v), t = ''; else, t = sprintf('%g', v); end
end
