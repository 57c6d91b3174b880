function [call, put] = blsprice(price, strike, rate, time, volatility, yield)
% [call, put] = blsprice(price, strike, rate, time, volatility, yield): Black and Scholes' prices of European
%   options; time in years, rate and yield (0) compounded continuously.
if nargin < 6, yield = 0; end
[d1, d2] = bls_terms('blsprice', price, strike, rate, time, volatility, yield);
now_ = price.*exp(-yield.*time);
later = strike.*exp(-rate.*time);
call = now_.*normcdf(d1) - later.*normcdf(d2);
put = later.*normcdf(-d2) - now_.*normcdf(-d1);
end
