function r = small_accumulate_groups()
g = mod((1:500)'*7, 11) + 1; v = mod((1:500)'*13, 17); r = sum(accumarray(g, v).^2);
end
