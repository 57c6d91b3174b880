function [call, put] = blstheta(price, strike, rate, time, volatility, yield)
% [call, put] = blstheta(price, strike, rate, time, volatility, yield): how the prices change with time, a year.
if nargin < 6, yield = 0; end
[d1, d2] = bls_terms('blstheta', price, strike, rate, time, volatility, yield);
fade = exp(-yield.*time);
later = strike.*exp(-rate.*time);
loss = -price.*normpdf(d1).*volatility.*fade./(2*sqrt(time));
call = loss - rate.*later.*normcdf(d2) + yield.*price.*normcdf(d1).*fade;
put = loss + rate.*later.*normcdf(-d2) - yield.*price.*normcdf(-d1).*fade;
end
