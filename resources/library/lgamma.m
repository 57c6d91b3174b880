function y = lgamma(x)
% y = lgamma(x): gammaln under its other name (Octave's).
y = gammaln(x);
end
