function g = rc2lar(k)
% g = rc2lar(k): log area ratios of reflection coefficients.
if any(abs(k) >= 1), error('signal:rc2lar:InvalidRange', 'Reflection coefficients must be less than one in magnitude.'); end
g = -2*atanh(-k);
end
