function [call, put] = blsrho(price, strike, rate, time, volatility, yield)
% [call, put] = blsrho(price, strike, rate, time, volatility, yield): how the prices follow the interest rate.
if nargin < 6, yield = 0; end
[~, d2] = bls_terms('blsrho', price, strike, rate, time, volatility, yield);
scale = strike.*time.*exp(-rate.*time);
call = scale.*normcdf(d2);
put = -scale.*normcdf(-d2);
end
