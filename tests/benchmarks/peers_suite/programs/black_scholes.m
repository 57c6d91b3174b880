% Calls and puts of n options, and the greeks that a desk looks at.
S = single(80 + 40 * mod((1:n)' * 0.6180339887498949, 1));
K = single(80 + 40 * mod((1:n)' * 0.7548776662466927, 1));
T = single(0.1 + 2 * mod((1:n)' * 0.5698402909980532, 1));
%% Work
r = 0.03; sigma = 0.25;
d1 = (log(S ./ K) + (r + sigma^2 / 2) * T) ./ (sigma * sqrt(T));
d2 = d1 - sigma * sqrt(T);
N1 = 0.5 * erfc(-d1 / sqrt(2));
N2 = 0.5 * erfc(-d2 / sqrt(2));
call = S .* N1 - K .* exp(-r * T) .* N2;
put = call - S + K .* exp(-r * T);
result = mean(call) + mean(put) + mean(N1);
