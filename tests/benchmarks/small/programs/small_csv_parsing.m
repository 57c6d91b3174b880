function r = small_csv_parsing()
s = ''; for k = 1:100, s = [s sprintf('%d,%g,name%d\n', k, k/4, k)]; end
l = strsplit(strtrim(s), sprintf('\n')); r = 0;
for k = 1:numel(l), f = strsplit(l{k}, ','); r = r + str2double(f{2}); end
end
