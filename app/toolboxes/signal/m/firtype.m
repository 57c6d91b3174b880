function t = firtype(b)
% t = firtype(b): the type of a filter with linear phase, 1 to 4: symmetric or not, of even or odd order.
if ~islinphase(b), error('signal:firtype:NotLinearPhase', 'The filter must have linear phase.'); end
odd = mod(numel(b), 2);
if max(abs(b - conj(b(end:-1:1)))) <= eps^(2/3)*max(abs(b))
    t = 2 - odd;
else
    t = 4 - odd;
end
end
