function g = blsgamma(price, strike, rate, time, volatility, yield)
% g = blsgamma(price, strike, rate, time, volatility, yield): how delta follows the asset's price.
if nargin < 6, yield = 0; end
d1 = bls_terms('blsgamma', price, strike, rate, time, volatility, yield);
g = normpdf(d1).*exp(-yield.*time)./(price.*volatility.*sqrt(time));
end
