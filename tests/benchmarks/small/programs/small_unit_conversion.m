function r = small_unit_conversion()
u = struct('m', 1, 'km', 1000, 'cm', 0.01, 'ft', 0.3048, 'mi', 1609.344); n = fieldnames(u); r = 0;
conv = @(x, a, b) x * u.(a) / u.(b);
for i = 1:numel(n), for j = 1:numel(n), r = r + log10(conv(i + j, n{i}, n{j})); end, end
r = round(r*1e6);
end
