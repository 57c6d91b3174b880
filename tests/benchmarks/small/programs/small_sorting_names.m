function r = small_sorting_names()
c = cell(1, 120); for k = 1:120, c{k} = sprintf('n%03d', mod(k*37, 121)); end
[s, i] = sort(c); r = sum(i.*(1:120));
end
