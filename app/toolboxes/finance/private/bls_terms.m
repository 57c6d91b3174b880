function [d1, d2] = bls_terms(name, price, strike, rate, time, volatility, yield)
% Black and Scholes' d1 and d2.
if any(price(:) <= 0) || any(strike(:) <= 0) || any(time(:) < 0) || any(volatility(:) < 0)
    error(['finance:' name ':InvalidInputs'], 'Price and strike must be positive; time and volatility must not be negative.');
end
spread = volatility.*sqrt(time);
d1 = (log(price./strike) + (rate - yield + volatility.^2/2).*time)./spread;
d2 = d1 - spread;
end
