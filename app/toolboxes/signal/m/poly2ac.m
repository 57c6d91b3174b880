function r = poly2ac(a, efinal)
% r = poly2ac(a, efinal): the autocorrelation of which the polynomial a is the predictor, with the last error.
r = rlevinson(a, efinal);
end
