function r = small_quick_sort()
x = quick(mod((1:400)*7919, 1009)); r = sum(x .* (1:400));
end
function y = quick(x)
if numel(x) < 2, y = x; else, p = x(1); z = x(2:end); y = [quick(z(z < p)), p, quick(z(z >= p))]; end
end
