function y = qfunc(x)
% y = qfunc(x): the chance that a standard normal number is larger than x.
y = 0.5*erfc(x/sqrt(2));
end
