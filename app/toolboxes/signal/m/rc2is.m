function is = rc2is(k)
% is = rc2is(k): inverse sines of reflection coefficients, 2/pi*asin(k).
is = 2/pi*asin(k);
end
