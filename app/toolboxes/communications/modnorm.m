function scale = modnorm(const, type, power)
% scale = modnorm(const, 'avpow', power), modnorm(const, 'peakpow', power): what a constellation is multiplied by to have an average or a peak power.
switch validatestring(type, {'avpow', 'peakpow'}, 'modnorm')
    case 'avpow', now = mean(abs(const(:)).^2);
    case 'peakpow', now = max(abs(const(:)).^2);
end
scale = sqrt(power/now);
end
