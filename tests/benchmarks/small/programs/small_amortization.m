function r = small_amortization()
b = 200000; rate = 0.04/12; n = 360; p = b*rate/(1 - (1 + rate)^-n); T = []; k = 0;
while b > 0.01 && k < 120, k = k + 1; i = b*rate; b = b - (p - i); T = [T; k i p-i b]; end
r = sum(T(:, 2));
end
