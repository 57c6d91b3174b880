function r = memo(k), persistent c; if isempty(c), c = zeros(1, 20); end, if c(k) == 0, if k < 3, c(k) = 1; else, c(k) = memo(k - 1) + memo(k - 2); end, end, r = c(k); end
disp(memo(20)); disp(memo(10));
