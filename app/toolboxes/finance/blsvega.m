function v = blsvega(price, strike, rate, time, volatility, yield)
% v = blsvega(price, strike, rate, time, volatility, yield): how the option's price follows the volatility.
if nargin < 6, yield = 0; end
d1 = bls_terms('blsvega', price, strike, rate, time, volatility, yield);
v = price.*sqrt(time).*normpdf(d1).*exp(-yield.*time);
end
