function [num, den] = iirpeak(Wo, BW, Ab)
% [num, den] = iirpeak(Wo, BW): a filter of second order that lets the frequency Wo through.
%   iirpeak(Wo, BW, Ab): BW is measured Ab decibels down, 10*log10(2) unless told. Wo and BW
%   are parts of half the sampling rate, between 0 and 1.
if nargin < 3
    Ab = half_power;
end
[gain, centre] = second_order(Wo, BW, Ab, true);
num = (1 - gain)*[1 0 -1];
den = [1 -2*gain*centre 2*gain - 1];
end
