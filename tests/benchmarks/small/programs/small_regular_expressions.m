function r = small_regular_expressions()
s = repmat('a1b22c333 ', 1, 20); t = regexp(s, '(\w)(\d+)', 'tokens'); r = 0;
for k = 1:numel(t), r = r + str2double(t{k}{2}); end
end
