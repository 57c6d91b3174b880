function y = wgn(m, n, power_, varargin)
% y = wgn(m, n, power, impedance, seed, unit, kind): white Gaussian noise; units dbw (default), dbm, linear;
%   kinds real (default), complex.
[impedance, unit, kind] = deal(1, 'dbw', 'real');
numbers = 0;
for k = 1:numel(varargin)
    v = varargin{k};
    if ischar(v) || isstring(v)
        v = validatestring(v, {'dbw', 'dbm', 'linear', 'real', 'complex'}, 'wgn');
        if any(strcmp(v, {'real', 'complex'})), kind = v; else, unit = v; end
    else
        numbers = numbers + 1;
        if numbers == 1 && ~isempty(v), impedance = v; elseif numbers == 2 && ~isempty(v), rng(v); end
    end
end
switch unit
    case 'dbw', watts = 10^(power_/10);
    case 'dbm', watts = 10^((power_ - 30)/10);
    case 'linear', watts = power_;
end
if strcmp(kind, 'real')
    y = sqrt(impedance*watts)*randn(m, n);
else
    y = sqrt(impedance*watts/2)*complex(randn(m, n), randn(m, n));
end
end
