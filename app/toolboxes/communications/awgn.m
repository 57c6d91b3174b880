function [y, noise_var] = awgn(x, snr, varargin)
% [y, noise] = awgn(x, snr, power, seed, unit): white Gaussian noise added for a signal-to-noise ratio in dB.
%   power: the signal's in dBW (0), or 'measured'; units: db (default), linear.
[power_, unit] = deal(0, 'db');
for k = 1:numel(varargin)
    v = varargin{k};
    if ischar(v) || isstring(v)
        v = validatestring(v, {'measured', 'db', 'linear'}, 'awgn');
        if strcmp(v, 'measured'), power_ = v; else, unit = v; end
    elseif k == 1
        power_ = v;
    elseif ~isempty(v)
        rng(v);
    end
end
if ischar(power_)
    watts = mean(abs(x(:)).^2);
elseif strcmp(unit, 'db')
    watts = 10^(power_/10);
else
    watts = power_ + (power_ == 0 && nargin < 3);
end
if strcmp(unit, 'db'), snr = 10^(snr/10); end
noise_var = watts/snr;
if isreal(x)
    y = x + sqrt(noise_var)*randn(size(x));
else
    y = x + sqrt(noise_var/2)*complex(randn(size(x)), randn(size(x)));
end
end
