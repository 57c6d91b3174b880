function r = small_log_parser()
lines = cell(1, 40); levels = {'info', 'warn', 'error'};
for k = 1:40, lines{k} = sprintf('%02d:%02d %s took=%d', mod(k, 24), mod(k*7, 60), levels{mod(k, 3) + 1}, k*13); end
r = 0; counts = zeros(1, 3);
for k = 1:numel(lines)
    t = regexp(lines{k}, '(\d+):(\d+) (\w+) took=(\d+)', 'tokens'); t = t{1};
    i = find(strcmp(levels, t{3})); counts(i) = counts(i) + 1; r = r + str2double(t{4}) + 60*str2double(t{1}) + str2double(t{2});
end
r = r + sum(counts .* [1 10 100]);
end
