function r = small_csv_writer()
rows = {}; r = 0;
for k = 1:60
    rows{end+1} = sprintf('%d,%d,%s', k, mod(k*17, 23), char(97 + mod(k, 26)));
end
text = strjoin(rows, ';'); parts = strsplit(text, ';');
for k = 1:numel(parts)
    cells = strsplit(parts{k}, ','); r = r + str2double(cells{2})*numel(cells{3});
end
end
