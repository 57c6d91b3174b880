function [call, put] = blsdelta(price, strike, rate, time, volatility, yield)
% [call, put] = blsdelta(price, strike, rate, time, volatility, yield): how Black and Scholes' prices follow the asset's.
if nargin < 6, yield = 0; end
d1 = bls_terms('blsdelta', price, strike, rate, time, volatility, yield);
call = exp(-yield.*time).*normcdf(d1);
put = call - exp(-yield.*time);
end
