function r = small_histogram_by_hand()
x = mod((1:5000)*7919, 100); h = zeros(1, 10); for k = 1:numel(x), b = floor(x(k)/10) + 1; h(b) = h(b) + 1; end
r = sum(h.*(1:10));
end
